package dev.levee.benchmarks.federated;

import dev.levee.benchmarks.FreshProcess;
import dev.levee.benchmarks.Machine;
import dev.levee.benchmarks.Spread;
import dev.levee.benchmarks.loop.DataflowLoop;
import dev.levee.benchmarks.loop.NoisePictures;
import dev.levee.federated.FederatedRun;
import dev.levee.learners.Learner;
import dev.levee.operators.rounds.participant.Batches;
import dev.levee.operators.rounds.training.Training;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Measures the cost of a device. First, federated rounds through Flink with two slots alternate
 * with a plain loop, which computes the same local steps on as many threads and averages the
 * results. Then the number of devices grows, of which each round asks ten. The heap in use is
 * measured in a separate process.
 */
public final class DeviceCost {
    private static final int CORES = 2;
    private static final int ASKED = 10;
    private static final int TURNS = 3;
    private static final String CROWD = "crowd";
    private static final String HEAP = "heap";

    /** Number of rounds in which most devices take part, and which take most of the run's time. */
    private static final int HEAP_ROUNDS = 3000;

    private static final long PAUSE_NANOS = 200_000_000;

    private static final Map<String, String> COMMON =
            Map.of(
                    "algorithm", "fedavg",
                    "sampling", "uniform",
                    "partition", "iid",
                    "weighting", "equal",
                    "per-round", String.valueOf(ASKED),
                    "batch-size", "10",
                    "learning-rate", "0.03");

    private DeviceCost() {}

    /** The number of devices, and the total number of their samples. */
    private record Crowd(int devices, int samples) {
        String data() {
            return "strokes:?train=" + samples;
        }
    }

    /**
     * Arguments: what to measure (all). Names of models are compared with a plain loop, and {@code
     * crowd} measures growing numbers of devices. {@code heap}, followed by a number of devices and
     * of samples, prints the heap of such a crowd in this process.
     */
    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals(HEAP)) {
            System.out.printf(
                    Locale.ROOT, "%.0f%n", heap(new Crowd(number(args[1]), number(args[2]))));
            System.exit(0);
        }
        Machine.print();
        Set<String> parts =
                args.length == 0
                        ? Set.of("logistic", "mnist-cnn", "cifarnet", CROWD)
                        : Set.of(args);
        beside(parts);
        if (parts.contains(CROWD)) {
            grow();
        }
        System.exit(0);
    }

    private static int number(String text) {
        return Integer.parseInt(text);
    }

    private static void beside(Set<String> models) throws Exception {
        System.out.printf("%na round that asks %d devices%n%n", ASKED);
        System.out.println(
                "| model | parameters | plain loop, ms | dataflow beside it | with 2 threads a slot"
                        + " |");
        System.out.println("|---".repeat(5) + "|");
        if (models.contains("logistic")) {
            beside("logistic", "strokes:", 30, 300, 300);
        }
        if (models.contains("mnist-cnn")) {
            beside("mnist-cnn", "strokes:", 30, 100, 100);
        }
        if (models.contains("cifarnet")) {
            try (NoisePictures pictures = new NoisePictures()) {
                beside("cifarnet", pictures.uri(), 2, 3, 10);
            }
        }
    }

    private static Training training(
            String model, String data, int devices, int steps, int rounds, int threads) {
        return Preset.of(
                        COMMON,
                        model,
                        "model=" + model,
                        "dataset=" + data,
                        "devices=" + devices,
                        "local-steps=" + steps,
                        "rounds=" + rounds,
                        "eval-interval=" + rounds)
                .training(1, threads);
    }

    private static void beside(String model, String data, int steps, int warmUp, int rounds)
            throws Exception {
        List<Training> trainings =
                IntStream.rangeClosed(1, CORES)
                        .mapToObj(each -> training(model, data, 100, steps, warmUp + rounds, each))
                        .toList();
        List<Double> plain = new ArrayList<>();
        List<List<Double>> ratios = List.of(new ArrayList<>(), new ArrayList<>());
        for (int turn = 0; turn < TURNS; turn++) {
            plain.add(1e3 * plain(trainings.get(0), steps, warmUp, rounds));
            for (int i = 0; i < trainings.size(); i++) {
                double dataflow =
                        1e3
                                * DataflowLoop.median(
                                        DataflowLoop.run(trainings.get(i), CORES, warmUp));
                ratios.get(i).add(dataflow / plain.get(turn));
            }
        }
        System.out.printf(
                Locale.ROOT,
                "| %s, %d steps | %d | %s | %s | %s |%n",
                model,
                steps,
                trainings.get(0).model().layout().size(),
                Spread.of(plain).text(),
                Spread.of(ratios.get(0)).text(),
                Spread.of(ratios.get(1)).text());
    }

    /** Median seconds of a round of local steps on threads, including averaging. */
    private static double plain(Training training, int steps, int warmUp, int rounds)
            throws Exception {
        Batches batches = new Batches(training);
        ExecutorService threads = Executors.newFixedThreadPool(CORES);
        ThreadLocal<Learner> learners =
                ThreadLocal.withInitial(FederatedRun.model(training)::newLearner);
        float[] model = training.model().initialParameters(training.seed());
        double[] seconds = new double[rounds];
        try {
            for (int round = 0; round < warmUp + rounds; round++) {
                long start = System.nanoTime();
                List<Future<float[]>> devices = new ArrayList<>();
                for (int i = 0; i < ASKED; i++) {
                    int device = (round * ASKED + i) % training.workers();
                    float[] begun = model;
                    devices.add(
                            threads.submit(
                                    () -> local(learners.get(), batches, device, begun, steps)));
                }
                float[] mean = new float[model.length];
                for (Future<float[]> device : devices) {
                    float[] trained = device.get();
                    for (int i = 0; i < mean.length; i++) {
                        mean[i] += trained[i] / ASKED;
                    }
                }
                model = mean;
                if (round >= warmUp) {
                    seconds[round - warmUp] = (System.nanoTime() - start) / 1e9;
                }
            }
        } finally {
            threads.shutdown();
        }
        Arrays.sort(seconds);
        return seconds[rounds / 2];
    }

    private static float[] local(
            Learner learner, Batches batches, int device, float[] begun, int steps) {
        float[] parameters = begun.clone();
        // A learner recognizes parameters by their array, so two arrays alternate.
        float[] next = new float[parameters.length];
        for (int step = 0; step < steps; step++) {
            float[] gradient =
                    learner.gradient(parameters, batches.next(device, step * 10L, 10), step)
                            .values();
            for (int i = 0; i < parameters.length; i++) {
                next[i] = parameters[i] - 0.03f * gradient[i];
            }
            float[] before = parameters;
            parameters = next;
            next = before;
        }
        return parameters;
    }

    private static Training training(Crowd crowd, int rounds) {
        return training("logistic", crowd.data(), crowd.devices(), 30, rounds, 1);
    }

    private static void grow() throws Exception {
        System.out.printf(
                "%nlogistic, 30 local steps; milliseconds of a round, medians of %d turns%n%n",
                TURNS);
        System.out.println("| devices | samples | a round | beside 100 | MB of heap in use |");
        System.out.println("|---".repeat(5) + "|");
        List<Crowd> crowds =
                List.of(
                        new Crowd(100, 20_000),
                        new Crowd(1000, 20_000),
                        new Crowd(10_000, 20_000),
                        new Crowd(100_000, 200_000));
        List<List<Double>> millis = new ArrayList<>();
        crowds.forEach(each -> millis.add(new ArrayList<>()));
        for (int turn = 0; turn < TURNS; turn++) {
            for (int i = 0; i < crowds.size(); i++) {
                Training training = training(crowds.get(i), 600);
                millis.get(i)
                        .add(1e3 * DataflowLoop.median(DataflowLoop.run(training, CORES, 300)));
            }
        }
        for (int i = 0; i < crowds.size(); i++) {
            System.out.printf(
                    Locale.ROOT,
                    "| %d | %d | %s | %.2f | %s |%n",
                    crowds.get(i).devices(),
                    crowds.get(i).samples(),
                    Spread.of(millis.get(i)).text(),
                    Spread.of(millis.get(i)).median() / Spread.of(millis.get(0)).median(),
                    FreshProcess.lastLine(
                            DeviceCost.class,
                            HEAP,
                            crowds.get(i).devices(),
                            crowds.get(i).samples()));
        }
    }

    /**
     * The median of the heap in use after collections in the later half of a run, in megabytes. The
     * first half includes the start of the cluster.
     */
    private static double heap(Crowd crowd) throws Exception {
        List<Double> used = new CopyOnWriteArrayList<>();
        Thread collector =
                new Thread(
                        () -> {
                            while (!Thread.currentThread().isInterrupted()) {
                                System.gc();
                                used.add(
                                        ManagementFactory.getMemoryMXBean()
                                                        .getHeapMemoryUsage()
                                                        .getUsed()
                                                / 1e6);
                                LockSupport.parkNanos(PAUSE_NANOS);
                            }
                        });
        collector.start();
        DataflowLoop.result(training(crowd, HEAP_ROUNDS), CORES);
        collector.interrupt();
        collector.join();
        return Spread.of(used.subList(used.size() / 2, used.size())).median();
    }
}
