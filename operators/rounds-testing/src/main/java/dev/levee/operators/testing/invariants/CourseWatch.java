package dev.levee.operators.testing.invariants;

import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Control;
import dev.levee.operators.rounds.GradientCost;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.plan.Elasticity;
import dev.levee.operators.rounds.plan.Performance;
import dev.levee.operators.rounds.plan.Reputation;
import dev.levee.operators.rounds.training.CountOrShare;
import dev.levee.operators.rounds.training.Training;

import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Computes the expected settings of rounds, independently of the coordinator. */
final class CourseWatch {
    private final Training training;
    private final int server;
    private final Elasticity bounds;
    private int subtasks;
    private Control control;
    private Control pending;
    private int failedBatch;

    /** By worker: the rounds in which it was proven faulty. */
    private final TreeMap<Integer, TreeSet<Long>> proven = new TreeMap<>();

    CourseWatch(Training training, int server) {
        this.training = training;
        this.server = server;
        this.bounds = training.plan() instanceof Elasticity elastic ? elastic : null;
    }

    CourseWatch copy() {
        CourseWatch copy = new CourseWatch(training, server);
        copy.subtasks = subtasks;
        copy.control = control;
        copy.pending = pending;
        copy.failedBatch = failedBatch;
        proven.forEach((worker, rounds) -> copy.proven.put(worker, new TreeSet<>(rounds)));
        return copy;
    }

    void runsOn(int count) {
        subtasks = count;
    }

    /** True if a control is newer than all before. */
    boolean control(Control next) {
        boolean newer =
                (control == null || control.timestamp() < next.timestamp())
                        && (pending == null || pending.timestamp() < next.timestamp());
        pending = newer ? next : pending;
        return newer;
    }

    /** Records the cost of a gradient of the open round. */
    void computed(ShardReport.Computed computed, Settings open) {
        GradientCost effort = computed.effort();
        boolean limited = bounds.workerMemory() > 0;
        boolean tooMuch =
                effort.samples() < open.batchSize()
                        || limited && effort.bytes() > bounds.workerMemory();
        if (tooMuch && (failedBatch == 0 || failedBatch > open.batchSize())) {
            failedBatch = open.batchSize();
        }
    }

    /** Records that a worker was proven faulty in a round. */
    void proven(int worker, long round) {
        proven.computeIfAbsent(worker, id -> new TreeSet<>()).add(round);
    }

    /**
     * The participants of a round whose plan leaves out faulty workers; it leaves out at most f.
     */
    private int[] believed(Reputation reputation, long round) {
        return IntStream.range(0, training.workers())
                .filter(
                        worker ->
                                proven.getOrDefault(worker, new TreeSet<>()).stream()
                                        .skip(reputation.faults() - 1L)
                                        .noneMatch(
                                                fault ->
                                                        fault < round
                                                                && round
                                                                        <= fault
                                                                                + reputation
                                                                                        .rounds()))
                .toArray();
    }

    private String wrong(Reputation reputation, Settings before, Settings next, long round) {
        int[] believed = believed(reputation, round);
        Settings plain = training.settings(round, Cohort.of(believed));
        int out = training.workers() - believed.length;
        Settings right =
                plain.among(plain.cohort(), training.byzantine() - out, plain.quorum())
                        .after(before.samples() + global(before));
        return next.equals(right) ? null : "they should be " + right;
    }

    /**
     * The error in a round's settings, given the previous round's settings; null if there is none.
     */
    String wrong(Settings before, Settings next, long round) {
        if (training.plan() instanceof Reputation reputation) {
            return wrong(reputation, before, next, round);
        }
        if (bounds == null) {
            return next.equals(training.settings(server, round)) ? null : "they are others";
        }
        if (pending != null && pending.fromRound() <= round) {
            control = pending;
            pending = null;
        }
        long nominal = (long) training.workers() * training.data().batchSize();
        long total = training.rounds() * nominal;
        if (next.samples() != before.samples() + global(before)) {
            return "samples do not add up";
        }
        if (next.stop() != next.samples() >= total) {
            return "they should " + (next.stop() ? "not " : "") + "be the last";
        }
        int workers = workers();
        if (next.workers() != workers
                || next.quorum() != quorum(workers)
                || next.f() != f(workers)) {
            return "there should be %d of %d workers, of which %d lie"
                    .formatted(quorum(workers), workers, f(workers));
        }
        int batch = batch(workers, next.stop() ? Long.MAX_VALUE : total - next.samples());
        if (next.batchSize() != batch) {
            return "the batch should be " + batch;
        }
        double rate = next.stop() ? 0 : rate(next, nominal);
        if (Math.abs(next.learningRate() - rate) > 1e-12 * rate) {
            return "the learning rate should be " + rate;
        }
        boolean evaluate = next.stop() || evaluations(next) > evaluations(before);
        return next.evaluate() == evaluate ? null : "evaluate should be " + evaluate;
    }

    private int quorum(int workers) {
        int most = 0;
        while (training.admission().quorum() instanceof CountOrShare.Share share
                && most * CountOrShare.Share.WHOLE < share.millionths() * workers) {
            most++;
        }
        if (training.admission().quorum() instanceof CountOrShare.AllBut some) {
            most = workers - some.missing();
        }
        return most == 0 ? workers : most;
    }

    private int f(int workers) {
        if (training.tolerance() instanceof CountOrShare.Count count) {
            return count.count();
        }
        long share = ((CountOrShare.Share) training.tolerance()).millionths();
        int f = 0;
        while ((f + 1) * CountOrShare.Share.WHOLE <= share * workers) {
            f++;
        }
        return f;
    }

    private int workers() {
        int workers = Math.min(subtasks, bounds.maxWorkers());
        while ((long) workers * training.data().batchSize() > bounds.maxBatch()) {
            workers--;
        }
        workers = Math.max(workers, bounds.minWorkers());
        // The number of copies of each part of a code is the number of a worker's steps.
        while (workers % training.work().steps() != 0) {
            workers--;
        }
        return workers;
    }

    /** The batch is never below the user's, unless fewer samples remain. */
    private int batch(int workers, long left) {
        int batch = control == null ? training.data().batchSize() : control.batchSize();
        if (failedBatch > 0 && batch > failedBatch / 2) {
            batch = failedBatch / 2;
        }
        while ((long) workers * batch > bounds.maxBatch()) {
            batch--;
        }
        batch = Math.max(batch, training.data().batchSize());
        while (batch > 1 && (long) workers * (batch - 1) >= left) {
            batch--;
        }
        return batch;
    }

    private double rate(Settings next, long nominal) {
        double scheduled = training.step().learningRate().at(next.samples() / nominal);
        double perSample =
                control == null
                        ? 1.0 / nominal
                        : control.learningRate()
                                / bounds.learningRate()
                                / control.workers()
                                / control.batchSize();
        return scheduled * perSample * global(next);
    }

    private long evaluations(Settings settings) {
        long nominal = (long) training.workers() * training.data().batchSize();
        return settings.samples() / nominal / training.evalInterval();
    }

    private static long global(Settings settings) {
        return (long) settings.workers() * settings.batchSize();
    }

    /** True if the reported performance of an elastic run is plausible. */
    boolean plausible(Performance performance, Settings open) {
        if (bounds == null) {
            return true;
        }
        return performance.settings().equals(open)
                && !(performance.samplesPerSecond() <= 0)
                && !(performance.computeUtilisation() < 0)
                && !(performance.computeUtilisation() > 1)
                && !(performance.memoryUtilisation() <= 0)
                && !(performance.pauseSeconds() < 0)
                && performance.failedBatch() == failedBatch
                && performance.controlTimestamp() == (control == null ? 0 : control.timestamp());
    }
}
