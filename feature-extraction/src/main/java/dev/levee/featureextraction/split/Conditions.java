package dev.levee.featureextraction.split;

/**
 * The conditions for which a cut is chosen.
 *
 * @param bandwidth bandwidth of the link between store and client, in bits per second
 * @param batch images per training step
 * @param storageSpeed speed of the storage tier for this client, relative to the measuring thread
 * @param clientSpeed speed of the client, relative to the measuring thread
 * @param requests number of requests, all of about the same size
 * @param images total number of images of these requests
 * @param threads number of threads that run at a time on a machine that both tiers share; infinite
 *     if each tier has its own machine
 */
public record Conditions(
        double bandwidth,
        int batch,
        double storageSpeed,
        double clientSpeed,
        int requests,
        long images,
        double threads) {
    /** Conditions in which each tier has its own machine. */
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

    /** Conditions with so many requests that the time of the first and last can be neglected. */
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

    /** These conditions with another bandwidth, for the remaining images. */
    public Conditions left(double bitsPerSecond, int requestsLeft, long imagesLeft) {
        return new Conditions(
                bitsPerSecond, batch, storageSpeed, clientSpeed, requestsLeft, imagesLeft, threads);
    }
}
