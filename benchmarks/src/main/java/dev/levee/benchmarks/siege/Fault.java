package dev.levee.benchmarks.siege;

/** A fault of the processes of a test bed, its disk or its topics. */
enum Fault {
    /** A TaskManager is killed, and another is started. */
    KILL_TASK_MANAGER("kill -9 of a TaskManager", false),
    /** The JobManager is killed and restarted. */
    KILL_JOB_MANAGER("kill -9 of the JobManager", false),
    /** The store of job metadata is killed and restarted. */
    KILL_ZOOKEEPER("kill -9 of ZooKeeper", false),
    /** A worker is killed and restarted. */
    KILL_WORKER("kill -9 of a worker", false),
    /** The client that follows the training is killed, and another attaches. */
    KILL_CLIENT("kill -9 of a client", false),
    /** The broker is killed and restarted. */
    KILL_BROKER("kill -9 of the broker", false),
    /** The broker is shut down in order and restarted. */
    RESTART_BROKER("restart of the broker", false),
    /** A TaskManager is stopped for a while, sometimes longer than its heartbeat timeout. */
    PAUSE_TASK_MANAGER("SIGSTOP of a TaskManager", true),
    /** The JobManager is stopped for a while. */
    PAUSE_JOB_MANAGER("SIGSTOP of the JobManager", true),
    /** The broker is stopped for a while. */
    PAUSE_BROKER("SIGSTOP of the broker", true),
    /** A worker is stopped for a while. */
    PAUSE_WORKER("SIGSTOP of a worker", true),
    /** The disk for checkpoints is full for a while. */
    FULL_DISK("full disk for checkpoints", true),
    /** The parallelism of a job is changed. */
    RESCALE("rescaling", false),
    /** A job writes a savepoint and continues. */
    SAVEPOINT("savepoint", false),
    /** A job is stopped with a savepoint, from which a new one continues. */
    RESUME("stop with a savepoint, and resume", false),
    /** The job's consumer group is deleted, and the follower of versions starts anew. */
    DELETE_CONSUMERS("consumers deleted and recreated", false),
    /** Invalid records are written to the topic of gradients as fast as the broker accepts them. */
    FLOOD("flood of invalid records", true),
    /** A worker is restarted with a clock that jumps by days, forward and backward. */
    CLOCK_JUMP("clock jumps of a worker", false),
    /** All workers are killed, and restarted after a while. */
    WORKERS_LEAVE("all workers leave and return", true);

    private final String what;
    private final boolean lasts;

    Fault(String what, boolean lasts) {
        this.what = what;
        this.lasts = lasts;
    }

    /** Describes the fault for people. */
    public String what() {
        return what;
    }

    /** True if the fault lasts for some time before it is repaired. */
    public boolean lasts() {
        return lasts;
    }
}
