package dev.levee.k8s.kubernetes;

import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobPhase;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.allocator.Progress;

import java.util.Optional;

/**
 * A resource and its observation for the allocator.
 *
 * @param resource the resource when it was observed
 * @param observation its state in the allocator's terms
 * @param kind the kind, which determines the possible changes
 */
record ObservedResource(FlinkResource resource, Observation observation, Kind kind) {
    enum Kind {
        /** Its job runs and reports metrics. */
        RUNNING,
        /** The resource is suspended and may be resumed. */
        WAITING,
        /** The resource keeps its workers, whatever the decision. */
        HELD,
        /** Its job has ended. */
        OVER
    }

    static ObservedResource running(FlinkResource resource, Observation read) {
        JobSpec spec =
                new JobSpec(
                        resource.id(),
                        resource.created(),
                        read.spec().bounds(),
                        read.spec().batches(),
                        true);
        return new ObservedResource(
                resource,
                new Observation(
                        spec,
                        JobPhase.RUNNING,
                        read.workers(),
                        read.healthyWorkers(),
                        read.localBatch(),
                        read.measurement(),
                        read.outOfMemoryBatch(),
                        read.remainingSamples(),
                        read.lastPauseSeconds(),
                        read.progress()),
                Kind.RUNNING);
    }

    static ObservedResource waiting(FlinkResource resource, JobBounds bounds) {
        return new ObservedResource(
                resource, without(spec(resource, bounds), JobPhase.WAITING, 0), Kind.WAITING);
    }

    /** The observation of a job whose workers cannot be changed now. */
    static ObservedResource held(FlinkResource resource, JobBounds bounds) {
        int workers = resource.parallelism();
        int batch = bounds.localBatch();
        JobBounds held =
                new JobBounds(
                        workers,
                        workers,
                        workers,
                        batch,
                        Math.max(bounds.maxGlobalBatch(), (long) workers * batch),
                        bounds.learningRate());
        return new ObservedResource(
                resource, without(spec(resource, held), JobPhase.RUNNING, workers), Kind.HELD);
    }

    /**
     * The observation of a resource that has no workers and gets none, but stays in the allocator's
     * memory.
     */
    static ObservedResource apart(FlinkResource resource, JobBounds bounds) {
        // The allocator gives no workers to a running job without healthy ones.
        return new ObservedResource(
                resource, without(spec(resource, bounds), JobPhase.RUNNING, 0), Kind.HELD);
    }

    static ObservedResource over(FlinkResource resource, JobBounds bounds, JobPhase phase) {
        return new ObservedResource(resource, without(spec(resource, bounds), phase, 0), Kind.OVER);
    }

    private static JobSpec spec(FlinkResource resource, JobBounds bounds) {
        return new JobSpec(resource.id(), resource.created(), bounds);
    }

    private static Observation without(JobSpec spec, JobPhase phase, int workers) {
        return new Observation(
                spec,
                phase,
                workers,
                workers,
                spec.bounds().localBatch(),
                Optional.empty(),
                0,
                Double.NaN,
                Double.NaN,
                Progress.UNKNOWN);
    }

    /** True if the resource has workers or may get some. */
    boolean needsRoom() {
        return kind == Kind.WAITING || observation.workers() > 0;
    }
}
