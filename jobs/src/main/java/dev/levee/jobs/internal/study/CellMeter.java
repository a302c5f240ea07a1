package dev.levee.jobs.internal.study;

import dev.levee.learners.Evaluation;
import dev.levee.operators.rounds.RunFailedException;
import dev.levee.operators.rounds.sequential.SequentialRun;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;

/**
 * Measures a cell on its first rounds; a cell that ends earlier is run again. Cells that are
 * measured together all run until the last one is measured, so each competes for the machine as
 * much as in the study.
 */
final class CellMeter implements SequentialRun.Watcher {
    /** The first round loads classes and models. */
    private static final int WARM_UP = 1;

    private static final int FEWEST_ROUNDS = 2;
    private static final double FEWEST_SECONDS = 2;

    /**
     * One round.
     *
     * @param computing seconds of all participants
     */
    private record Timed(double computing, double besides) {}

    /** How many of those that are measured at the same time need more rounds. */
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
     * Measures in the caller's thread.
     *
     * @param unfinished counts those that are measured at the same time, this one too
     */
    static CellSpeed measure(Cell cell, AtomicInteger unfinished) {
        CellMeter meter = new CellMeter(unfinished);
        try {
            while (meter.more()) {
                meter.run(cell);
            }
        } catch (CancellationException e) {
            // It has measured enough.
        } catch (RunFailedException e) {
            // The cell takes no longer than this.
        } finally {
            Thread.interrupted(); // a run may have ended before it noticed
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

    /** The speed by the later half, for which more of the code has been compiled. */
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
