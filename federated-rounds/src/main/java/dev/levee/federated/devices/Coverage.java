package dev.levee.federated.devices;

/**
 * The samples that a run has seen so far. Whenever a device takes part, all its samples are seen
 * (the measure of FeGAN's balanced sampling).
 */
public final class Coverage {
    private final Census census;
    private final long[] seen;
    private long all;

    /** Creates a coverage without rounds. */
    public Coverage(Census census) {
        this.census = census;
        this.seen = new long[census.classes()];
    }

    /** Adds the devices of a round. */
    public void add(int[] devices) {
        for (int device : devices) {
            for (int label = 0; label < seen.length; label++) {
                seen[label] += census.count(device, label);
            }
            all += census.samples(device);
        }
    }

    /** Number of seen samples by class; a copy. */
    public long[] seen() {
        return seen.clone();
    }

    /** Number of classes with a seen sample. */
    public int classes() {
        int classes = 0;
        for (long each : seen) {
            classes += each > 0 ? 1 : 0;
        }
        return classes;
    }

    /** True if samples of at least 95 % of the classes were seen. */
    public boolean most() {
        return 100L * classes() >= 95L * seen.length;
    }

    /**
     * D_KL(P‖U) = Σ P ln(P·C) in nats. P are the shares of the C classes among the seen samples,
     * and U equal shares; NaN before any sample was seen.
     */
    public double divergence() {
        double divergence = all == 0 ? Double.NaN : 0;
        for (long each : seen) {
            if (each > 0) {
                double share = (double) each / all;
                divergence += share * StrictMath.log(share * seen.length);
            }
        }
        // Rounding may give a value slightly below 0 for equal shares.
        return divergence < 0 ? 0 : divergence;
    }
}
