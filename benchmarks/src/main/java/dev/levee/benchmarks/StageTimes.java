package dev.levee.benchmarks;

import dev.levee.connectors.data.Batch;
import dev.levee.featureextraction.split.Profiler;
import dev.levee.featureextraction.split.TrainingTimes;
import dev.levee.learners.GradientMean;
import dev.levee.learners.Models;
import dev.levee.learners.layers.LayeredModel;
import dev.levee.learners.layers.LayeredNetwork;
import dev.levee.learners.layers.NetworkStages;
import dev.levee.learners.layers.StagePasses;
import dev.levee.learners.layers.ThreadTime;

import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Compares the sum of a network's layer times, measured several times as {@code levee place} does,
 * with the time that one stage with all layers takes for the same micro-batch in this process.
 * Arguments: samples in a micro-batch (32); networks (cifarnet resnet18).
 */
final class StageTimes {
    private static final int SIDE = 32;
    private static final int CLASSES = 10;
    private static final int PROFILES = 5;
    private static final int MICRO_BATCHES = 8;
    private static final int STEPS = 4;

    private StageTimes() {}

    public static void main(String[] arguments) {
        Machine.print();
        int samples = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 32;
        String[] networks =
                arguments.length > 1
                        ? Arrays.copyOfRange(arguments, 1, arguments.length)
                        : new String[] {"cifarnet", "resnet18"};
        for (String name : networks) {
            LayeredNetwork network = NetworkStages.open(name, new int[] {3, SIDE, SIDE}, CLASSES);
            double[] sums = new double[PROFILES];
            for (int i = 0; i < PROFILES; i++) {
                long start = System.nanoTime();
                TrainingTimes times = Profiler.training(network, samples);
                double forward = Arrays.stream(times.forward()).sum() * samples;
                double backward = Arrays.stream(times.backward()).sum() * samples;
                sums[i] = forward + backward;
                System.out.printf(
                        Locale.ROOT,
                        "%s: profile forward %.2f ms, backward %.2f ms, took %.2f s%n",
                        name,
                        1e3 * forward,
                        1e3 * backward,
                        (System.nanoTime() - start) / 1e9);
            }
            double[] whole = whole(name, samples);
            double real = whole[0] + whole[1];
            System.out.printf(
                    Locale.ROOT,
                    "%s: one stage forward %.2f ms, backward %.2f ms; profiles %.2f to %.2f ms,"
                            + " %+.1f %% to %+.1f %%%n",
                    name,
                    1e3 * whole[0],
                    1e3 * whole[1],
                    1e3 * Arrays.stream(sums).min().orElseThrow(),
                    1e3 * Arrays.stream(sums).max().orElseThrow(),
                    100 * (Arrays.stream(sums).min().orElseThrow() / real - 1),
                    100 * (Arrays.stream(sums).max().orElseThrow() / real - 1));
        }
    }

    /** Median seconds of the forward and the backward pass of a stage. */
    private static double[] whole(String name, int samples) {
        LayeredModel model =
                NetworkStages.of(Models.open(name, new int[] {3, SIDE, SIDE}, CLASSES));
        LayeredModel.Stage stage = model.stage(0, model.layers() - 1);
        Random random = new Random(1);
        float[] images = new float[samples * 3 * SIDE * SIDE];
        for (int i = 0; i < images.length; i++) {
            images[i] = random.nextFloat();
        }
        int[] labels = IntStream.range(0, samples).map(i -> i % CLASSES).toArray();
        Batch answers = new Batch(new float[0], labels, new float[0]);
        double[] forward = new double[STEPS * MICRO_BATCHES];
        double[] backward = new double[STEPS * MICRO_BATCHES];
        try (StagePasses passes = stage.newPasses(false)) {
            for (int step = -1; step < STEPS; step++) {
                passes.begin(stage.parameters(model.initialParameters(step + 2)));
                GradientMean mean =
                        new GradientMean(GradientMean.ends(samples * MICRO_BATCHES, MICRO_BATCHES));
                float[] spare = null;
                for (int part = 0; part < MICRO_BATCHES; part++) {
                    ThreadTime start = ThreadTime.start();
                    float[] outputs = passes.forward(part, images, samples, part);
                    float[] slope = new float[outputs.length];
                    double loss = passes.loss(outputs, answers, slope);
                    double between = start.seconds();
                    spare = mean.add(passes.backward(part, slope, spare).values(), loss);
                    double end = start.seconds();
                    if (step >= 0) {
                        forward[step * MICRO_BATCHES + part] = between;
                        backward[step * MICRO_BATCHES + part] = end - between;
                    }
                }
                mean.mean();
                passes.end();
            }
        }
        Arrays.sort(forward);
        Arrays.sort(backward);
        return new double[] {forward[forward.length / 2], backward[backward.length / 2]};
    }
}
