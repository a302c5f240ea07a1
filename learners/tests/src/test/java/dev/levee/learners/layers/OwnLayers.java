package dev.levee.learners.layers;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Lists of layers drawn at random, for images of 16×16. */
final class OwnLayers {
    private OwnLayers() {}

    static LayerList draw(Random random) {
        List<String> layers = new ArrayList<>();
        int blocks = 1 + random.nextInt(3);
        for (int i = 0; i < blocks; i++) {
            layers.add("conv(%d, 3, 1, 1)".formatted(1 + random.nextInt(8)));
            layers.addAll(List.of("batchnorm", "relu", "tanh").subList(0, random.nextInt(4)));
            layers.add(
                    switch (random.nextInt(4)) {
                        case 0 -> "maxpool(3, 2, 1)";
                        case 1 -> "avgpool(2)";
                        case 2 -> "leakyrelu(0.1)";
                        default -> "maxpool(2)";
                    });
        }
        if (random.nextBoolean()) {
            layers.add("avggrid(2)");
        }
        layers.addAll(List.of("flatten", "dense(7)", "relu", "dropout(.5)", "dense"));
        return LayerList.parse(String.join(";", layers));
    }
}
