package dev.levee.federated.devices;

import java.util.Arrays;

/**
 * The distribution of a score over devices, all with equal weight.
 *
 * @param devices number of devices with a score
 * @param mean mean of the scores, NaN without any
 * @param worstDecile mean of the worst tenth of the devices, rounded up to whole devices (Li,
 *     Sanjabi, Beirami, Smith, "Fair Resource Allocation in Federated Learning", ICLR 2020, section
 *     5)
 * @param jain Jain's index (Σs)²/(n·Σs²) (Jain, Chiu, Hawe, DEC-TR-301, 1984): 1 if all devices
 *     have the same score, 1/n if one has all, NaN if all scores are 0
 */
public record Spread(int devices, double mean, double worstDecile, double jain) {
    private static final int TENTH = 10;

    /**
     * Computes the distribution of scores; NaN means no score.
     *
     * @param higherIsBetter false if the largest scores are the worst
     */
    public static Spread of(double[] scores, boolean higherIsBetter) {
        double[] sorted =
                Arrays.stream(scores)
                        .filter(each -> !Double.isNaN(each))
                        .map(each -> higherIsBetter ? each : -each)
                        .sorted()
                        .map(each -> higherIsBetter ? each : -each)
                        .toArray();
        int worst = -Math.floorDiv(-sorted.length, TENTH);
        double sum = Arrays.stream(sorted).sum();
        double squares = Arrays.stream(sorted).map(each -> each * each).sum();
        return new Spread(
                sorted.length,
                sum / sorted.length,
                Arrays.stream(sorted, 0, worst).sum() / worst,
                sum * sum / (sorted.length * squares));
    }
}
