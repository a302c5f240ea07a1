package dev.levee.jobs.internal.study;

import dev.levee.learners.Evaluation;
import dev.levee.operators.rounds.RunFailedException;
import dev.levee.operators.rounds.sequential.SequentialRun;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

/**
 * The estimated time of cells, measured on the first rounds of some that differ in the options that
 * cost time.
 */
final class CellTime {
    private static final List<String> COSTLY =
            List.of(
                    "dataset",
                    "model",
                    "aggregator",
                    "attack",
                    "batch-size",
                    "algorithm",
                    "local-steps",
                    "local-epochs",
                    "topology",
                    "servers",
                    "graph");

    /** Kinds of cells that are measured; others are taken to be like these on average. */
    private static final int MOST_KINDS = 8;

    private static final long MOST_NANOS = 1_000_000_000L;
    private static final int MOST_ROUNDS = 50;

    /** Rounds that load classes and models. */
    private static final int WARM_UP = 2;

    private final Map<List<String>, Speed> kinds = new LinkedHashMap<>();

    /**
     * The speed of one kind.
     *
     * @param perGradient seconds of a round for each worker that takes part
     * @param perEvaluation seconds of an evaluation
     */
    private record Speed(double perGradient, double perEvaluation) {
        private double seconds(Cell cell) {
            Training training = cell.training();
            return training.rounds() * perRound(training) * perGradient
                    + (1 + training.rounds() / training.evalInterval()) * perEvaluation;
        }
    }

    /** Measures for some seconds. */
    CellTime(List<Cell> cells) {
        Map<List<String>, Cell> first = new LinkedHashMap<>();
        cells.forEach(cell -> first.putIfAbsent(kind(cell), cell));
        List<List<String>> all = List.copyOf(first.keySet());
        int measured = Math.min(MOST_KINDS, all.size());
        for (int i = 0; i < measured; i++) {
            List<String> kind = all.get((int) ((long) i * all.size() / measured));
            kinds.put(kind, measure(first.get(kind)));
        }
    }

    private static int perRound(Training training) {
        return training.plan().perRound(training);
    }

    private static List<String> kind(Cell cell) {
        return COSTLY.stream().map(name -> cell.options().getOrDefault(name, "")).toList();
    }

    private static Speed measure(Cell cell) {
        Training training = cell.training();
        Stopwatch watch = new Stopwatch();
        try (SequentialRun run = new SequentialRun(training, watch)) {
            watch.begin();
            run.run();
        } catch (CancellationException e) {
            // It has measured enough.
            Thread.interrupted();
        } catch (RunFailedException e) {
            // It takes no longer than this.
        }
        return new Speed(
                watch.roundSeconds / Math.max(1, watch.rounds) / perRound(training),
                watch.evaluationSeconds);
    }

    /** Seconds of these cells one after the other. */
    double seconds(List<Cell> cells) {
        double seconds = 0;
        for (Cell cell : cells) {
            Speed known = kinds.get(kind(cell));
            seconds +=
                    known != null
                            ? known.seconds(cell)
                            : kinds.values().stream()
                                    .mapToDouble(each -> each.seconds(cell))
                                    .average()
                                    .orElse(0);
        }
        return seconds;
    }

    /** Times rounds and evaluations, and ends the run when it has seen enough. */
    private static final class Stopwatch implements SequentialRun.Watcher {
        private long began;
        private long mark;
        private double evaluationSeconds;
        private double roundSeconds;
        private int rounds;

        private void begin() {
            began = System.nanoTime();
            mark = began;
        }

        @Override
        public void evaluated(long trained, Evaluation test, Evaluation validation) {
            evaluationSeconds = seconds();
            mark = System.nanoTime();
        }

        @Override
        public void finished(RoundReport round) {
            if (round.round() >= WARM_UP) {
                roundSeconds += seconds();
                rounds++;
            }
            mark = System.nanoTime();
            if (rounds >= MOST_ROUNDS || rounds > 0 && mark - began > MOST_NANOS) {
                Thread.currentThread().interrupt();
            }
        }

        private double seconds() {
            return (System.nanoTime() - mark) / 1e9;
        }
    }
}
