package dev.levee.benchmarks.loop;

import dev.levee.benchmarks.Machine;
import dev.levee.benchmarks.Spread;
import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Rules;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.RoundPhase;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Measures the cost of the dataflow: a round with Multi-Krum (n = 10, f = 3, batch 100) through
 * Flink, compared with a plain loop that computes the same ten gradients on all cores and averages
 * them. Both alternate in one run.
 */
public final class DataflowCost {
    private static final int WORKERS = 10;
    private static final int CORES = Runtime.getRuntime().availableProcessors();
    private static final int TURNS = 3;

    private DataflowCost() {}

    /** Arguments: names of models to measure (both). */
    public static void main(String[] args) throws Exception {
        Machine.print();
        System.out.printf("milliseconds per round, medians of %d turns%n%n", TURNS);
        System.out.print("| model | plain loop | dataflow | ratio |");
        for (RoundPhase phase : RoundPhase.values()) {
            System.out.printf(" %s |", phase.name().toLowerCase(Locale.ROOT));
        }
        System.out.printf("%n|---|---|---|---|---|---|---|---|---|---|%n");
        List<String> models = args.length == 0 ? List.of("mnist-cnn", "cifarnet") : List.of(args);
        if (models.contains("mnist-cnn")) {
            measure("mnist-cnn", "strokes:", 300, 600);
        }
        if (models.contains("cifarnet")) {
            measureCifarNet();
        }
    }

    private static void measureCifarNet() throws Exception {
        try (NoisePictures pictures = new NoisePictures()) {
            measure("cifarnet", pictures.uri(), 3, 12);
        }
    }

    private static void measure(String model, String data, int warmUp, int rounds)
            throws Exception {
        Training training = training(model, data, warmUp + rounds);
        double[] plain = new double[TURNS];
        double[] dataflow = new double[TURNS];
        double[] ratio = new double[TURNS];
        List<RoundReport> reports = List.of();
        for (int turn = 0; turn < TURNS; turn++) {
            try (PlainLoop loop = new PlainLoop(training, Rules.parse("average"), CORES)) {
                plain[turn] = loop.run(warmUp, rounds) * 1e3;
            }
            reports = DataflowLoop.run(training, CORES, warmUp);
            dataflow[turn] = DataflowLoop.median(reports) * 1e3;
            ratio[turn] = dataflow[turn] / plain[turn];
        }
        System.out.printf(
                Locale.ROOT,
                "| %s | %.2f | %.2f | %.2f (%.2f to %.2f) |",
                model,
                Spread.median(Arrays.stream(plain)),
                Spread.median(Arrays.stream(dataflow)),
                Spread.median(Arrays.stream(ratio)),
                Arrays.stream(ratio).min().orElseThrow(),
                Arrays.stream(ratio).max().orElseThrow());
        for (RoundPhase phase : RoundPhase.values()) {
            System.out.printf(
                    Locale.ROOT, " %.2f |", DataflowLoop.medianPhase(reports, phase.ordinal()));
        }
        System.out.println();
    }

    private static Training training(String model, String uri, int rounds) {
        Dataset data = Datasets.open(uri, Datasets.Split.TRAIN);
        Model opened = Models.open(model, data.shape(), data.classes());
        return new TrainingBuilder("step", uri, opened, Rules.parse("multi-krum"), WORKERS, 3)
                .learningRate(LearningRate.parse("constant", 0.01, rounds))
                .work(new GradientWork(0))
                .optimizer(Optimizer.of(OptimizerKind.SGD, PlainLoop.MOMENTUM))
                .rounds(rounds)
                .evalInterval(rounds)
                .build();
    }
}
