package dev.levee.k8s.simulator;

/**
 * The times of a simulation, in seconds.
 *
 * @param measure time between measurements
 * @param decide time between decisions
 * @param pause duration of a job's pause when it starts or its workers change
 */
public record Timing(double measure, double decide, double pause) {
    /** Checks signs. */
    public Timing {
        if (!(measure > 0) || !(decide > 0) || !(pause >= 0)) {
            throw new IllegalArgumentException(
                    "intervals must be above 0 and the pause at least 0, got measure %s, decide %s, pause %s"
                            .formatted(measure, decide, pause));
        }
    }
}
