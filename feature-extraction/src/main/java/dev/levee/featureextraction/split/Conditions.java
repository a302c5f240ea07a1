package dev.levee.featureextraction.split;

/**
 * The conditions for which a cut is chosen.
 *
 * @param bandwidth of the link between store and client, in bits per second
 * @param batch images of a training step
 * @param storageSpeed how many times as much as the measuring thread the storage tier gets done for
 *     this client
 * @param clientSpeed the same of the client
 * @param requests how many of about the same size there will be
 * @param images how many all of them are for
 * @param threads how many threads run at a time in a machine that both tiers share; infinitely many
 *     if each has a machine of its own
 */
public record Conditions(
        double bandwidth,
        int batch,
        double storageSpeed,
        double clientSpeed,
        int requests,
        long images,
        double threads) {
    /** Conditions of two machines. */
    public Conditions(
            double bandwidth,
            int batch,
            double storageSpeed,
            double clientSpeed,
            int requests,
            long images) {
        this(
                bandwidth,
                batch,
                storageSpeed,
                clientSpeed,
                requests,
                images,
                Double.POSITIVE_INFINITY);
    }

    /** Conditions whose requests have as many images as a training step. */
    public Conditions(
            double bandwidth, int batch, double storageSpeed, double clientSpeed, int requests) {
        this(bandwidth, batch, storageSpeed, clientSpeed, requests, (long) requests * batch);
    }

    /** Conditions with so many requests that the first and the last do not matter. */
    public Conditions(double bandwidth, int batch, double storageSpeed, double clientSpeed) {
        this(bandwidth, batch, storageSpeed, clientSpeed, Integer.MAX_VALUE);
    }

    public Conditions {
        if (requests < 1 || images < 1) {
            throw new IllegalArgumentException(
                    "there must be requests and images, got %d and %d".formatted(requests, images));
        }
        if (!(threads > 0)) {
            throw new IllegalArgumentException("threads must be above 0, got " + threads);
        }
        if (!(bandwidth > 0) || batch < 1 || !(storageSpeed > 0) || !(clientSpeed > 0)) {
            throw new IllegalArgumentException(
                    "bandwidth, batch and speeds must be above 0, got %s, %d, %s, %s"
                            .formatted(bandwidth, batch, storageSpeed, clientSpeed));
        }
    }

    /** The same with another rate of the link, for the remaining images. */
    public Conditions left(double bitsPerSecond, int requestsLeft, long imagesLeft) {
        return new Conditions(
                bitsPerSecond, batch, storageSpeed, clientSpeed, requestsLeft, imagesLeft, threads);
    }
}
