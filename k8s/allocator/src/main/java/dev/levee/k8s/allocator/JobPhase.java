package dev.levee.k8s.allocator;

/** The phase of a training job, as far as allocation is concerned. */
public enum JobPhase {
    /** Submitted, without workers. */
    WAITING,
    /** Has workers. */
    RUNNING,
    /** Ended normally. */
    FINISHED,
    /** Ended by a failure, without recovery. */
    FAILED;

    /** True if it needs no more workers. */
    public boolean ended() {
        return this == FINISHED || this == FAILED;
    }
}
