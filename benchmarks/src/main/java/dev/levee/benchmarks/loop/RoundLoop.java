package dev.levee.benchmarks.loop;

import dev.levee.benchmarks.Machine;
import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.learners.Model;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.RoundPhase;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import java.util.List;
import java.util.Locale;

/**
 * Measures a round with free gradients. For each dimension and number of workers, compares a
 * dataflow round by phase with a plain loop on one thread, alternately in one run.
 */
public final class RoundLoop {
    private static final int PARALLELISM = 2;

    /** Minimum number of workers for multi-krum; the gradients of fewer workers are averaged. */
    private static final int LEAST = 3;

    private static final String DATA = "strokes:?train=100&test=10&seed=1";

    private RoundLoop() {}

    /** Arguments: dimensions to measure (all). */
    public static void main(String[] args) throws Exception {
        Machine.print();
        int[] dimensions =
                args.length == 0
                        ? new int[] {1_000, 100_000, 1_000_000, 10_000_000}
                        : List.of(args).stream().mapToInt(Integer::parseInt).toArray();
        System.out.printf("milliseconds per round, multi-krum (one worker: average), medians%n%n");
        System.out.printf("| d | n | plain loop | dataflow | ratio |");
        for (RoundPhase phase : RoundPhase.values()) {
            System.out.printf(" %s |", phase.name().toLowerCase(Locale.ROOT));
        }
        System.out.printf("%n|---|---|---|---|---|---|---|---|---|---|---|%n");
        for (int dimension : dimensions) {
            for (int workers : new int[] {1, 5, 10, 20}) {
                measure(dimension, workers);
            }
        }
    }

    private static void measure(int dimension, int workers) throws Exception {
        // Enough rounds of warm-up for Java to compile the code.
        int rounds = (int) Math.max(30, Math.min(1000, 2_000_000_000L / dimension / workers));
        int warmUp = Math.min(500, rounds);
        Training training = training(new FreeGradients(dimension), workers, warmUp + rounds);
        double plain;
        try (PlainLoop loop = new PlainLoop(training, training.rule(), 1)) {
            plain = loop.run(warmUp, rounds);
        }
        List<RoundReport> reports = DataflowLoop.run(training, PARALLELISM, warmUp);
        double dataflow = DataflowLoop.median(reports);
        System.out.printf(
                Locale.ROOT,
                "| %.0e | %d | %.2f | %.2f | %.2f |",
                (double) dimension,
                workers,
                plain * 1e3,
                dataflow * 1e3,
                dataflow / plain);
        for (RoundPhase phase : RoundPhase.values()) {
            System.out.printf(
                    Locale.ROOT, " %.2f |", DataflowLoop.medianPhase(reports, phase.ordinal()));
        }
        System.out.println();
    }

    static Training training(Model model, int workers, int rounds) {
        return builder(model, workers, rounds).build();
    }

    /** A training with Multi-Krum, or averaging with few workers, whose server has momentum. */
    static TrainingBuilder builder(Model model, int workers, int rounds) {
        Dataset data = Datasets.open(DATA, Datasets.Split.TRAIN);
        if (data.size() < workers) {
            throw new IllegalArgumentException("too many workers");
        }
        return builder(
                model,
                Rules.parse(workers < LEAST ? "average" : "multi-krum"),
                workers,
                Math.max(0, (workers - LEAST) / 2),
                rounds);
    }

    /**
     * Creates a training with any rule. It can have more workers than samples, but then it cannot
     * run.
     */
    static Training training(Model model, Rule rule, int workers, int f, int rounds) {
        return builder(model, rule, workers, f, rounds).build();
    }

    private static TrainingBuilder builder(Model model, Rule rule, int workers, int f, int rounds) {
        return new TrainingBuilder("benchmark", DATA, model, rule, workers, f)
                .batchSize(1)
                .learningRate(LearningRate.parse("constant", 0.1, rounds))
                .work(new GradientWork(0))
                .optimizer(Optimizer.of(OptimizerKind.SGD, PlainLoop.MOMENTUM))
                .rounds(rounds)
                .evalInterval(rounds);
    }
}
