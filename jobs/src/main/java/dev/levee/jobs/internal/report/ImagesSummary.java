package dev.levee.jobs.internal.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import java.util.List;

/**
 * What {@code summary.json} says of generated images. Lists are by evaluated round.
 *
 * @param network whose features are compared
 * @param networkAccuracy share of the test samples that the network which tells classes classifies
 *     correctly
 * @param samples number of images that a score is of
 * @param rounds number of rounds that each generator was trained for
 * @param frechet Fréchet distance from real images, null where it is not a finite number
 * @param coverage share of the classes that are covered
 * @param byClass how many images that network takes for each class
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonPropertyOrder({
    "network",
    "networkAccuracy",
    "samples",
    "rounds",
    "frechet",
    "coverage",
    "byClass"
})
public record ImagesSummary(
        String network,
        double networkAccuracy,
        int samples,
        List<Long> rounds,
        List<Double> frechet,
        List<Double> coverage,
        List<long[]> byClass) {
    /** Of scores by round; null if there are none. */
    static ImagesSummary of(List<GeneratedImages.Scored> scores) {
        if (scores.isEmpty()) {
            return null;
        }
        GeneratedImages.Scored any = scores.get(0);
        return new ImagesSummary(
                any.network(),
                any.networkAccuracy(),
                any.samples(),
                scores.stream().map(GeneratedImages.Scored::round).toList(),
                scores.stream().map(GeneratedImages.Scored::frechet).toList(),
                scores.stream().map(GeneratedImages.Scored::coverage).toList(),
                scores.stream().map(GeneratedImages.Scored::byClass).toList());
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

    static double number(Double value) {
        return value == null ? Double.NaN : value;
    }

    /** The share of classes covered after the last round. */
    public double lastCoverage() {
        return coverage.get(coverage.size() - 1);
    }
}
