package dev.levee.jobs.internal.report.summary;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

import java.util.List;

/**
 * The fields about generated images in {@code summary.json}. Lists are by evaluated round.
 *
 * @param network the network whose features are compared
 * @param networkAccuracy share of the test samples that the classifying network gets right
 * @param samples number of images per score
 * @param rounds number of rounds before each evaluation
 * @param frechet Fréchet distance from real images, null if not finite
 * @param coverage share of the classes that the images cover
 * @param byClass number of images that the classifying network assigns to each class
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ImagesSummary(
        String network,
        double networkAccuracy,
        int samples,
        List<Long> rounds,
        List<Double> frechet,
        List<Double> coverage,
        List<long[]> byClass) {
    /**
     * The score of a generator's images after a round.
     *
     * @param round number of rounds before the evaluation
     * @param network the network whose features are compared
     * @param networkAccuracy share of the test samples that the classifying network gets right
     * @param samples number of scored images
     * @param frechet Fréchet distance from real images, null if not finite
     * @param coverage share of the classes that the images cover, as in {@link
     *     dev.levee.federated.images.ImageScore#coverage}
     * @param byClass number of images that the classifying network assigns to each class
     */
    public record Scored(
            long round,
            String network,
            double networkAccuracy,
            int samples,
            Double frechet,
            double coverage,
            long[] byClass) {}

    /** Collects scores by round; null if there are none. */
    public static ImagesSummary of(List<Scored> scores) {
        if (scores.isEmpty()) {
            return null;
        }
        Scored any = scores.get(0);
        return new ImagesSummary(
                any.network(),
                any.networkAccuracy(),
                any.samples(),
                scores.stream().map(Scored::round).toList(),
                scores.stream().map(Scored::frechet).toList(),
                scores.stream().map(Scored::coverage).toList(),
                scores.stream().map(Scored::byClass).toList());
    }

    /** The distance after the last round, NaN if there is none. */
    public double lastFrechet() {
        return number(frechet.get(frechet.size() - 1));
    }

    /** The smallest distance over all rounds, NaN if there is none. */
    public double bestFrechet() {
        return frechet.stream()
                .mapToDouble(ImagesSummary::number)
                .filter(each -> !Double.isNaN(each))
                .min()
                .orElse(Double.NaN);
    }

    public static double number(Double value) {
        return value == null ? Double.NaN : value;
    }

    /** The share of classes that the images cover after the last round. */
    public double lastCoverage() {
        return coverage.get(coverage.size() - 1);
    }
}
