package dev.levee.k8s.simulator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Measurements of one application of the Pollux artifact (Qiao et al., OSDI 2021): the time of a
 * step for each placement, and the progress of training for each global batch.
 */
final class PolluxApplication {
    private static final Map<String, Integer> EPOCHS =
            Map.of(
                    "bert",
                    2,
                    "cifar10",
                    100,
                    "ncf",
                    10,
                    "imagenet",
                    90,
                    "deepspeech2",
                    80,
                    "yolov3",
                    50);
    private static final int YOLO_LARGEST_BATCH = 8;

    private final String name;
    private final StepTimes times;
    private final int epochs;
    private final int largestLocalBatch;
    private final TreeMap<Integer, double[][]> validation = new TreeMap<>();
    private final double[] progressAfter;

    private PolluxApplication(
            String name, StepTimes times, TreeMap<Integer, double[][]> validation) {
        this.name = name;
        this.times = times;
        this.validation.putAll(validation);
        this.epochs = EPOCHS.get(name);
        this.largestLocalBatch = name.equals("yolov3") ? YOLO_LARGEST_BATCH : times.largestBatch();
        this.progressAfter = new double[epochs + 1];
        for (int epoch = 1; epoch <= epochs; epoch++) {
            int row = epoch - 1;
            progressAfter[epoch] =
                    validation.values().stream()
                            .mapToDouble(rows -> rows[row][0])
                            .min()
                            .orElseThrow();
        }
    }

    static PolluxApplication read(Path traces, String name) throws IOException {
        Path folder = traces.resolve(name);
        if (!EPOCHS.containsKey(name)) {
            throw new IllegalArgumentException(
                    "unknown application %s: known are %s"
                            .formatted(
                                    name,
                                    String.join(", ", EPOCHS.keySet().stream().sorted().toList())));
        }
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException(
                    "%s, which should hold the measurements of %s, does not exist"
                            .formatted(folder, name));
        }
        TreeMap<Integer, double[][]> validation = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                String number =
                        file.getFileName().toString().replaceAll("validation-(\\d+)\\.csv", "$1");
                if (number.matches("\\d+")) {
                    validation.put(Integer.parseInt(number), curve(Csv.rows(file, 5)));
                }
            }
        }
        return new PolluxApplication(name, StepTimes.read(folder), validation);
    }

    private static double[][] curve(List<String[]> rows) {
        return rows.stream()
                .map(
                        row ->
                                new double[] {
                                    Double.parseDouble(row[0]),
                                    Double.parseDouble(row[3]),
                                    Double.parseDouble(row[4])
                                })
                .toArray(double[][]::new);
    }

    String name() {
        return name;
    }

    int epochs() {
        return epochs;
    }

    StepTimes times() {
        return times;
    }

    int smallestLocalBatch() {
        return times.smallestBatch();
    }

    int largestLocalBatch() {
        return largestLocalBatch;
    }

    int initialBatch() {
        return validation.firstKey();
    }

    int largestBatch() {
        return validation.lastKey();
    }

    /** Progress after a number of epochs. */
    double progressAfter(int epoch) {
        return progressAfter[epoch];
    }

    /** Progress per step in an epoch, relative to a step with the initial batch. */
    double gain(long batch, int epoch) {
        double[] noise = noise(batch, epoch);
        double sqr = noise[0];
        double var = noise[1];
        double scale = (double) batch / initialBatch();
        return (var + sqr) / (var / scale + sqr);
    }

    /** The gradient's noise scale in an epoch, in samples. */
    double noiseScale(long batch, int epoch) {
        double[] noise = noise(batch, epoch);
        return initialBatch() * noise[1] / noise[0];
    }

    /** The square of the gradient's norm, and the gradient's variance at the initial batch. */
    private double[] noise(long batch, int epoch) {
        int clamped = (int) Math.max(initialBatch(), Math.min(largestBatch(), batch));
        int below = validation.floorKey(clamped);
        int above = validation.ceilingKey(clamped);
        double share = above == below ? 0 : (double) (clamped - below) / (above - below);
        double[] row = Curve.mix(validation.get(below)[epoch], validation.get(above)[epoch], share);
        return new double[] {row[1], row[2]};
    }
}
