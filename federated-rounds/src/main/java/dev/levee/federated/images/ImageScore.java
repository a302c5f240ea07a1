package dev.levee.federated.images;

/**
 * A comparison of images with real ones.
 *
 * @param frechet Fréchet distance of the features of the scorer's network, at least 0, smaller is
 *     better; NaN if a feature is not finite
 * @param byClass number of images that the network assigns to each class
 */
public record ImageScore(double frechet, long[] byClass) {
    /** A class counts as covered if it has at least this part of an equal share. */
    public static final double PART = 0.1;

    /** Copies the counts. */
    public ImageScore {
        byClass = byClass.clone();
    }

    /** Share of the classes that have at least a tenth of an equal share of the images. */
    public double coverage() {
        long all = 0;
        for (long each : byClass) {
            all += each;
        }
        int covered = 0;
        for (long each : byClass) {
            covered += each > 0 && each >= PART * all / byClass.length ? 1 : 0;
        }
        return (double) covered / byClass.length;
    }
}
