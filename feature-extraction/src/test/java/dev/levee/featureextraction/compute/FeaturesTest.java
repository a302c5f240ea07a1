package dev.levee.featureextraction.compute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;

/** Features of two values in parts, one without images. Image i has the values i and i + 0.5. */
class FeaturesTest {
    private static final int[] LABELS = {2, 0, 1, 0, 1};

    @TempDir Path folder;

    private static Features view(int first) {
        return new Features(
                List.of(values(first, 3), new float[0], values(first + 3, 2)),
                LABELS,
                new int[] {2},
                List.of("one is bad"),
                1,
                2,
                3,
                4);
    }

    private static float[] values(int first, int images) {
        float[] values = new float[2 * images];
        for (int i = 0; i < values.length; i++) {
            values[i] = first + i / 2f;
        }
        return values;
    }

    private Dataset read(Datasets.Split split) {
        return Datasets.open("npz:" + folder.resolve("features.npz"), split);
    }

    /** The images of a data set, after checking their values and labels. */
    private static TreeSet<Integer> images(Dataset data) {
        TreeSet<Integer> images = new TreeSet<>();
        for (int i = 0; i < data.size(); i++) {
            float[] values = data.batch(new int[] {i}).features();
            assertThat(values[1]).isEqualTo(values[0] + 0.5f);
            assertThat(data.label(i)).isEqualTo(LABELS[(int) values[0] % 10]);
            images.add((int) values[0]);
        }
        return images;
    }

    @Test
    void imagesOfAllPartsAreWritten() {
        view(0).write(folder.resolve("features.npz"));
        TreeSet<Integer> images = images(read(Datasets.Split.TRAIN));
        images.addAll(images(read(Datasets.Split.TEST)));
        assertThat(images).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void viewsAreForTrainingAndOthersImagesAsTheyAreForTheTest() {
        Features joined = Features.joined(List.of(view(0), view(10), view(20)));
        joined.write(folder.resolve("features.npz"), 3, 7);

        int held = images(read(Datasets.Split.TEST)).first();
        assertThat(held).isBetween(0, 4);
        assertThat(images(read(Datasets.Split.TRAIN)))
                .hasSize(8)
                .allMatch(image -> image >= 10 && image % 10 != held);
        assertThat(joined.bad()).hasSize(1);
        assertThat(joined.clientNanos()).isEqualTo(3);
    }
}
