package dev.levee.k8s.kubernetes;

/** Labels and annotations that Levee reads and writes. */
public final class Keys {
    /** Label of the resources that take part: {@code true}. */
    public static final String ELASTIC = "levee.dev/elastic";

    /** Annotation: address of the job's Flink REST service, where it is not the operator's. */
    public static final String REST = "levee.dev/rest";

    /** Annotation: fewest workers, until the job has run. */
    public static final String MIN_WORKERS = "levee.dev/min-workers";

    /** Annotation: most workers, until the job has run. */
    public static final String MAX_WORKERS = "levee.dev/max-workers";

    /** Annotation: samples per worker and round, until the job has run. */
    public static final String BATCH = "levee.dev/batch";

    /** Annotation: most samples per round over all workers, until the job has run. */
    public static final String MAX_BATCH = "levee.dev/max-batch";

    /** Annotation, Levee's: what the job asked for when it last ran, as JSON. */
    static final String LAST_RUN = "levee.dev/last-run";

    /** Annotation, Levee's: {@code true} where Levee has suspended the job and will resume it. */
    static final String WAITING = "levee.dev/waiting";

    /** Label, Levee's: workers decided on. */
    static final String WORKERS = "levee.dev/workers";

    /** Label, Levee's: samples per worker and round decided on. */
    static final String BATCH_SIZE = "levee.dev/batch-size";

    /** Annotation, Levee's: why. */
    static final String REASON = "levee.dev/reason";

    private Keys() {}
}
