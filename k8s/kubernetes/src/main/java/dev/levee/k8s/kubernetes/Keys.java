package dev.levee.k8s.kubernetes;

/** Labels and annotations that Levee reads and writes. */
public final class Keys {
    /** Label: {@code true} for resources that take part. */
    public static final String ELASTIC = "levee.dev/elastic";

    /** Annotation: address of the job's Flink REST service, if it differs from the operator's. */
    public static final String REST = "levee.dev/rest";

    /** Annotation: fewest workers, until the job has run. */
    public static final String MIN_WORKERS = "levee.dev/min-workers";

    /** Annotation: most workers, until the job has run. */
    public static final String MAX_WORKERS = "levee.dev/max-workers";

    /** Annotation: samples per worker and round, until the job has run. */
    public static final String BATCH = "levee.dev/batch";

    /** Annotation: most samples per round over all workers, until the job has run. */
    public static final String MAX_BATCH = "levee.dev/max-batch";

    /** Annotation, written by Levee: the job's request when it last ran, as JSON. */
    static final String LAST_RUN = "levee.dev/last-run";

    /**
     * Annotation, written by Levee: {@code true} if Levee has suspended the job and will resume it.
     */
    static final String WAITING = "levee.dev/waiting";

    /** Label, written by Levee: number of workers in the last decision. */
    static final String WORKERS = "levee.dev/workers";

    /** Label, written by Levee: samples per worker and round in the last decision. */
    static final String BATCH_SIZE = "levee.dev/batch-size";

    /** Annotation, written by Levee: the reason of the last decision. */
    static final String REASON = "levee.dev/reason";

    private Keys() {}
}
