package dev.levee.benchmarks.loop;

import dev.levee.benchmarks.Machine;
import dev.levee.connectors.data.Batch;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Models;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

/**
 * Measures the cost of gradients of one and of ten million floats through {@code --model python:},
 * each with different parameters. Compares it with the same module, loss and batch in a plain
 * Python loop. Both alternate; the fastest gradient of each counts, because it is least affected by
 * other load.
 */
public final class PythonGradient {
    private static final int INPUTS = 784;
    private static final int CLASSES = 10;
    private static final int STEPS = 40;
    private static final int MOST_FLOATS = 10_000_000;

    private static final String MODULE =
            """
            from torch import nn

            def model():
                return nn.Sequential(nn.Linear(784, %1$d), nn.ReLU(), nn.Linear(%1$d, %2$d), nn.ReLU(), nn.Linear(%2$d, 10))
            """;

    /** The widths of the hidden layers of each module. */
    private static final int[][] WIDTHS = {{640, 640}, {3072, 2460}};

    private static final String LOOP =
            """
            import sys, time, torch
            torch.set_num_threads(1)
            size, device = int(sys.argv[1]), sys.argv[2]
            module = model().to(device)
            inputs, labels = torch.rand(size, 784).to(device), torch.randint(0, 10, (size,)).to(device)
            for line in sys.stdin:
                start = time.perf_counter()
                module.zero_grad(set_to_none=True)
                nn.functional.cross_entropy(module(inputs), labels).backward()
                if device != "cpu":
                    torch.cuda.synchronize()
                print(1e3 * (time.perf_counter() - start), flush=True)
            """;

    private PythonGradient() {}

    /** Arguments: the interpreter ({@code python3}), the device, and batch sizes. */
    public static void main(String[] args) throws Exception {
        String python = args.length > 0 ? args[0] : "python3";
        String device = args.length > 1 ? args[1] : "cpu";
        int[] sizes =
                args.length > 2
                        ? Arrays.stream(args).skip(2).mapToInt(Integer::parseInt).toArray()
                        : new int[] {32, 128};
        Machine.print();
        System.out.printf("milliseconds per gradient, the fastest of %d%n%n", STEPS);
        System.out.printf(
                "| floats | batch | Python alone | through Levee | ratio |%n"
                        + "|---|---|---|---|---|%n");
        for (int[] widths : WIDTHS) {
            String module = MODULE.formatted(widths[0], widths[1]);
            Path file = Files.writeString(Files.createTempFile("levee-", ".py"), module);
            try {
                String address = "python:%s?python=%s&device=%s".formatted(file, python, device);
                Model model = Models.open(address, new int[] {INPUTS}, CLASSES);
                for (int size : sizes) {
                    measure(model, module, python, device, size);
                }
            } finally {
                Files.delete(file);
            }
        }
        copies(MOST_FLOATS);
    }

    /**
     * Measures the part of this cost that is copies between Java's heap and shared memory, on one
     * thread.
     */
    private static void copies(int floats) throws IOException {
        Path file = Files.createTempFile(Path.of("/dev/shm"), "levee-", ".shared");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            FloatBuffer shared =
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) Float.BYTES * floats)
                            .order(ByteOrder.nativeOrder())
                            .asFloatBuffer();
            float[] values = new float[floats];
            double in = Double.POSITIVE_INFINITY;
            double out = Double.POSITIVE_INFINITY;
            for (int step = 0; step < STEPS; step++) {
                long start = System.nanoTime();
                shared.put(0, values);
                long between = System.nanoTime();
                shared.get(0, values);
                in = Math.min(in, (between - start) / 1e6);
                out = Math.min(out, (System.nanoTime() - between) / 1e6);
            }
            System.out.printf(
                    Locale.ROOT,
                    "%nof which copies of %d MB: parameters into shared memory %.1f, gradient out"
                            + " of it %.1f%n",
                    (long) Float.BYTES * floats / 1_000_000,
                    in,
                    out);
        } finally {
            Files.delete(file);
        }
    }

    private static void measure(Model model, String module, String python, String device, int size)
            throws Exception {
        Random random = new Random(1);
        float[] features = new float[size * INPUTS];
        int[] labels = new int[size];
        for (int i = 0; i < features.length; i++) {
            features[i] = random.nextFloat();
        }
        Arrays.setAll(labels, i -> random.nextInt(CLASSES));
        Batch batch = new Batch(features, labels);
        // A different array counts as a new version of the model, which must be transferred again.
        float[] parameters = model.initialParameters(1);
        float[][] versions = {parameters, parameters.clone()};
        double alone = Double.POSITIVE_INFINITY;
        double through = Double.POSITIVE_INFINITY;
        ProcessBuilder bare =
                new ProcessBuilder(python, "-c", module + LOOP, String.valueOf(size), device)
                        .redirectError(ProcessBuilder.Redirect.INHERIT);
        // PyTorch's own setting does not affect every BLAS.
        bare.environment().put("OMP_NUM_THREADS", "1");
        Process loop = bare.start();
        try (Learner learner = model.newLearner();
                BufferedReader told = loop.inputReader();
                BufferedWriter asked = loop.outputWriter()) {
            for (int step = 0; step < STEPS; step++) {
                asked.newLine();
                asked.flush();
                alone = Math.min(alone, Double.parseDouble(told.readLine()));
                long start = System.nanoTime();
                learner.gradient(versions[step % 2], batch, step);
                through = Math.min(through, (System.nanoTime() - start) / 1e6);
            }
        }
        System.out.printf(
                Locale.ROOT,
                "| %d | %d | %.1f | %.1f | %.2f |%n",
                model.layout().size(),
                size,
                alone,
                through,
                through / alone);
    }
}
