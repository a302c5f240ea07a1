package dev.levee.benchmarks;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Models;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

/**
 * What a gradient of ten million floats costs through {@code --model python:}, every time at other
 * parameters, against the same module, loss and batch in a plain Python loop. The two take turns.
 * Takes the interpreter and the sizes of batches.
 */
public final class PythonGradient {
    private static final int INPUTS = 784;
    private static final int CLASSES = 10;
    private static final int STEPS = 15;
    private static final int TURNS = 5;

    private static final String MODULE =
            """
            from torch import nn

            def model():
                return nn.Sequential(nn.Linear(784, 3072), nn.ReLU(), nn.Linear(3072, 2460), nn.ReLU(), nn.Linear(2460, 10))
            """;

    private static final String LOOP =
            """
            import statistics, sys, time, torch
            torch.set_num_threads(1)
            size, steps = int(sys.argv[1]), int(sys.argv[2])
            module = model()
            inputs, labels = torch.rand(size, 784), torch.randint(0, 10, (size,))
            times = []
            for _ in range(steps):
                start = time.perf_counter()
                module.zero_grad(set_to_none=True)
                nn.functional.cross_entropy(module(inputs), labels).backward()
                times.append(time.perf_counter() - start)
            print(1e3 * statistics.median(times))
            """;

    private PythonGradient() {}

    /** Takes the interpreter, {@code python3} by default, and batch sizes. */
    public static void main(String[] args) throws Exception {
        String python = args.length > 0 ? args[0] : "python3";
        int[] sizes =
                args.length > 1
                        ? Arrays.stream(args).skip(1).mapToInt(Integer::parseInt).toArray()
                        : new int[] {32, 128};
        Machine.print();
        Path file = Files.writeString(Files.createTempFile("levee-", ".py"), MODULE);
        try {
            String address = "python:" + file + "?python=" + python;
            Model model = Models.open(address, new int[] {INPUTS}, CLASSES);
            System.out.printf(
                    "milliseconds per gradient of %d floats, medians of %d turns of %d%n%n",
                    model.layout().size(), TURNS, STEPS);
            System.out.printf(
                    "| batch | Python alone | through Levee | ratio |%n|---|---|---|---|%n");
            for (int size : sizes) {
                measure(model, python, size);
            }
        } finally {
            Files.delete(file);
        }
    }

    private static void measure(Model model, String python, int size) throws Exception {
        double[] alone = new double[TURNS];
        double[] through = new double[TURNS];
        double[] ratio = new double[TURNS];
        try (Learner learner = model.newLearner()) {
            for (int turn = 0; turn < TURNS; turn++) {
                alone[turn] = alone(python, size);
                through[turn] = through(learner, model.initialParameters(turn), size);
                ratio[turn] = through[turn] / alone[turn];
            }
        }
        System.out.printf(
                Locale.ROOT,
                "| %d | %.1f | %.1f | %.2f (%.2f to %.2f) |%n",
                size,
                median(alone),
                median(through),
                median(ratio),
                Arrays.stream(ratio).min().orElseThrow(),
                Arrays.stream(ratio).max().orElseThrow());
    }

    private static double alone(String python, int size) throws Exception {
        Process process =
                new ProcessBuilder(
                                python,
                                "-c",
                                MODULE + LOOP,
                                String.valueOf(size),
                                String.valueOf(STEPS))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        String printed =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return Double.parseDouble(printed.strip());
    }

    private static double through(Learner learner, float[] parameters, int size) {
        Random random = new Random(1);
        float[] features = new float[size * INPUTS];
        int[] labels = new int[size];
        for (int i = 0; i < features.length; i++) {
            features[i] = random.nextFloat();
        }
        Arrays.setAll(labels, i -> random.nextInt(CLASSES));
        Batch batch = new Batch(features, labels);
        // Another array is another version of the model, which is handed over anew.
        float[][] versions = {parameters, parameters.clone()};
        double[] millis = new double[STEPS];
        for (int step = 0; step < STEPS; step++) {
            long start = System.nanoTime();
            learner.gradient(versions[step % 2], batch, step);
            millis[step] = (System.nanoTime() - start) / 1e6;
        }
        return median(millis);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
