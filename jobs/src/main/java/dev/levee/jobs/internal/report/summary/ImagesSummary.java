package dev.levee.jobs.internal.report.summary;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

import java.util.List;

/**
 * The fields about generated images in {@code summary.json}. Lists are by evaluated round.
 *
 * @param network the network whose features are compared
 * @param networkAccuracy share of the test samples that the network which tells classes classifies
 *     correctly
 * @param samples number of images that a score is of
 * @param rounds number of rounds that each generator was trained for
 * @param frechet Fréchet distance from real images, null where it is not a finite number
 * @param coverage share of the classes that are covered
 * @param byClass how many images that network takes for each class
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
     * The images of a round's generator.
     *
     * @param round number of rounds that it was trained for
     * @param network the network whose features are compared
     * @param networkAccuracy share of the test samples that the network which tells classes
     *     classifies correctly
     * @param samples number of images that the score is of
     * @param frechet Fréchet distance, null if it is not a finite number
     * @param coverage share of the classes that are covered, as {@link
     *     dev.levee.federated.images.ImageScore#coverage} says
     * @param byClass how many images that network takes for each class
     */
    public record Scored(
            long round,
            String network,
            double networkAccuracy,
            int samples,
            Double frechet,
            double coverage,
            long[] byClass) {}

    /** Summarizes scores by round; null if there are none. */
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

    /** The smallest distance of all rounds, NaN if there is none. */
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

    /** The share of classes covered after the last round. */
    public double lastCoverage() {
        return coverage.get(coverage.size() - 1);
    }
}
