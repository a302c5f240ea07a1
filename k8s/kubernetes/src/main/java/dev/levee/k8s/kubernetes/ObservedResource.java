package dev.levee.k8s.kubernetes;

import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobPhase;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.allocator.Progress;

import java.util.Optional;

/**
 * A resource and what it looks like to the allocator.
 *
 * @param resource as it was
 * @param observation the same as the allocator wants it
 * @param kind the changes that are possible
 */
record ObservedResource(FlinkResource resource, Observation observation, Kind kind) {
    enum Kind {
        /** Its job runs and says how. */
        RUNNING,
        /** It is suspended and may be resumed. */
        WAITING,
        /** It keeps its workers, whatever anybody decides. */
        HELD,
        /** Its job has ended. */
        OVER
    }

    static ObservedResource running(FlinkResource resource, Observation read) {
        JobSpec spec = spec(resource, read.spec().bounds());
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

    /** The observation of a resource without workers that gets none, but is not forgotten. */
    static ObservedResource apart(FlinkResource resource, JobBounds bounds) {
        // A running job without a healthy worker gets none.
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

    /** True if it has workers or may get some. */
    boolean needsRoom() {
        return kind == Kind.WAITING || observation.workers() > 0;
    }
}
