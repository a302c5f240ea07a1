package dev.levee.jobs.internal.study;

import dev.levee.learners.Evaluation;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.sequential.SequentialRun;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;

/**
 * Measures a cell in its first rounds. A cell that ends earlier runs again. Cells that are measured
 * together all run until the last is measured, so that each competes for the machine as in the
 * study.
 */
final class CellMeter implements SequentialRun.Watcher {
    /** Number of rounds to skip: the first loads classes and models. */
    private static final int WARM_UP = 1;

    private static final int FEWEST_ROUNDS = 2;
    private static final double FEWEST_SECONDS = 2;

    /**
     * The times of one round.
     *
     * @param computing seconds that all participants computed
     */
    private record Timed(double computing, double besides) {}

    /** How many of the cells that are measured together need more rounds. */
    private final AtomicInteger unfinished;

    private final List<Timed> rounds = new ArrayList<>();
    private final List<Double> evaluations = new ArrayList<>();
    private long mark;
    private double computing;
    private double besides;
    private double setUp;
    private double counted;
    private boolean enough;

    private CellMeter(AtomicInteger unfinished) {
        this.unfinished = unfinished;
    }

    /**
     * Measures a cell in the caller's thread.
     *
     * @param unfinished the number of cells that are measured together and not finished, including
     *     this one
     */
    static CellSpeed measure(Cell cell, AtomicInteger unfinished) {
        CellMeter meter = new CellMeter(unfinished);
        try {
            while (meter.more()) {
                meter.run(cell);
            }
        } catch (CancellationException e) {
            // The measurement is complete.
        } catch (RunFailedException e) {
            // The training failed, so the cell takes no longer than it did.
        } finally {
            Thread.interrupted(); // clears an interrupt that the run did not notice before its end
            meter.finish();
        }
        return meter.speed(CellSpeed.atWork(cell.training()));
    }

    private void run(Cell cell) {
        long began = System.nanoTime();
        Training training = cell.training();
        try (SequentialRun run = new SequentialRun(training, this)) {
            mark = System.nanoTime();
            setUp = (mark - began) / 1e9;
            computing = 0;
            besides = 0;
            run.run();
        }
    }

    @Override
    public void computing() {
        besides += lap();
    }

    @Override
    public void computed() {
        computing += lap();
    }

    @Override
    public void evaluating() {
        besides += lap();
    }

    @Override
    public void evaluated(long trained, Evaluation test, Evaluation validation) {
        evaluations.add(lap());
    }

    @Override
    public void finished(RoundReport round) {
        besides += lap();
        rounds.add(new Timed(computing, besides));
        if (rounds.size() > WARM_UP) {
            counted += computing + besides;
        }
        computing = 0;
        besides = 0;
        if (!more()) {
            Thread.currentThread().interrupt();
        }
    }

    private double lap() {
        long now = System.nanoTime();
        double seconds = (now - mark) / 1e9;
        mark = now;
        return seconds;
    }

    private boolean more() {
        if (rounds.size() >= WARM_UP + FEWEST_ROUNDS && counted >= FEWEST_SECONDS) {
            finish();
        }
        return !enough || unfinished.get() > 0;
    }

    private void finish() {
        if (!enough) {
            enough = true;
            unfinished.decrementAndGet();
        }
    }

    /** Computes the speed from the later half of the rounds, when more code is compiled. */
    private CellSpeed speed(double atWork) {
        return new CellSpeed(
                setUp,
                mean(rounds, Timed::computing) / Math.max(1, atWork),
                mean(rounds, Timed::besides),
                mean(evaluations, seconds -> seconds));
    }

    private static <T> double mean(List<T> all, ToDoubleFunction<T> of) {
        return all.subList(all.size() / 2, all.size()).stream().mapToDouble(of).average().orElse(0);
    }
}
