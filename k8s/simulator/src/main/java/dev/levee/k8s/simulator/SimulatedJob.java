package dev.levee.k8s.simulator;

import dev.levee.k8s.allocator.JobPhase;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.Measurement;
import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.allocator.Policy;

import java.util.Arrays;
import java.util.Optional;

/** A job in virtual time. */
final class SimulatedJob {
    private final JobSpec spec;
    private final JobBehaviour behaviour;
    private final double arrival;
    private int[] placement = {};
    private int workers;
    private double speed;
    private int localBatch;
    private int triedBatch;
    private Pace pace;
    private double now;
    private double runsFrom;
    private double stageEnds = Double.POSITIVE_INFINITY;
    private double started = Double.NaN;
    private double finished = Double.NaN;
    private double waited;
    private double waiting;
    private double longestWait;
    private double samples;
    private double workerSeconds;
    private int restarts;
    private double pause = Double.NaN;

    SimulatedJob(JobSpec spec, JobBehaviour behaviour, Policy policy) {
        this.spec = spec;
        this.behaviour = behaviour;
        this.arrival = Simulation.seconds(spec.submitted());
        this.now = arrival;
        this.localBatch =
                policy.choosesBatch()
                        ? spec.batches().share(spec.bounds().startWorkers())
                        : spec.bounds().localBatch();
    }

    JobSpec spec() {
        return spec;
    }

    double arrival() {
        return arrival;
    }

    int workers() {
        return workers;
    }

    int[] placement() {
        return placement;
    }

    boolean finished() {
        return !Double.isNaN(finished);
    }

    /** Time at which the current stage ends if nothing changes. */
    double stageEnds() {
        return stageEnds;
    }

    /** Samples processed so far. */
    double samples() {
        return samples;
    }

    /** Advances the job to a time, which must not be after the end of the stage. */
    void advanceTo(double time) {
        double passed = time - now;
        if (workers == 0) {
            waited += passed;
            waiting += passed;
            longestWait = Math.max(longestWait, waiting);
            now = time;
            return;
        }
        workerSeconds += passed * workers;
        double ran = Math.max(0, time - Math.max(now, runsFrom));
        now = time;
        samples += ran * pace.samplesPerSecond();
        if (time < stageEnds) {
            behaviour.progress(ran * pace.progressPerSecond());
            return;
        }
        behaviour.endStage();
        if (behaviour.finished()) {
            finished = time;
            stageEnds = Double.POSITIVE_INFINITY;
        } else {
            refresh();
        }
    }

    /**
     * Changes the job's workers, which causes a pause. With 0 workers, the job returns to the
     * queue.
     */
    void place(int[] byNode, int count, double slowest, double pauseSeconds) {
        if (count > 0 && !Double.isNaN(started)) {
            restarts++;
            pause = pauseSeconds;
        }
        placement = byNode;
        workers = count;
        speed = slowest;
        if (count == 0) {
            pace = null;
            stageEnds = Double.POSITIVE_INFINITY;
            return;
        }
        waiting = 0;
        started = Double.isNaN(started) ? now : started;
        runsFrom = now + pauseSeconds;
        refresh();
    }

    /** Changes the local batch. A batch that does not fit is halved, which costs a pause. */
    void batch(int batch, double pauseSeconds) {
        if (batch == localBatch) {
            return;
        }
        localBatch = batch;
        if (!behaviour.fits(batch)) {
            triedBatch = batch;
            localBatch = Math.max(spec.batches().leastLocal(), batch / 2);
            runsFrom = Math.max(runsFrom, now + pauseSeconds);
        }
        if (workers > 0) {
            refresh();
        }
    }

    Observation observe() {
        int nodes = (int) Arrays.stream(placement).filter(count -> count > 0).count();
        long batch = (long) Math.max(1, workers) * localBatch;
        boolean steady = workers > 0 && now > runsFrom;
        Optional<Measurement> measurement =
                steady
                        ? Optional.of(
                                new Measurement(
                                        Simulation.instant(now),
                                        workers,
                                        localBatch,
                                        pace.samplesPerSecond(),
                                        pace.computeUtilisation(),
                                        pace.memoryUtilisation(),
                                        speed,
                                        nodes,
                                        pace.passes()))
                        : Optional.empty();
        int tried = triedBatch;
        triedBatch = 0;
        return new Observation(
                spec,
                workers > 0 ? JobPhase.RUNNING : JobPhase.WAITING,
                workers,
                workers,
                localBatch,
                measurement,
                tried,
                behaviour.remainingSamples(batch),
                steady ? pause : Double.NaN, // known once it runs again
                behaviour.reached(batch));
    }

    Outcome.Job outcome() {
        return new Outcome.Job(
                spec.id(),
                arrival,
                started,
                finished,
                waited,
                longestWait,
                restarts,
                workerSeconds,
                samples);
    }

    private void refresh() {
        int[] used = Arrays.stream(placement).filter(count -> count > 0).toArray();
        pace = behaviour.pace(used, localBatch, speed);
        stageEnds = Math.max(now, runsFrom) + behaviour.leftInStage() / pace.progressPerSecond();
    }
}
