package dev.levee.estimation.fitting;

import dev.levee.estimation.EffectData;

/**
 * Weighted sums over the observations of a sample split. Without clusters, they are means over n
 * observations, and a product multiplies values of the same observation. With clusters, every part
 * has the same weight, and an observation has the weight 1/(clusters of its part). A product then
 * multiplies sums over clusters, so observations of a cluster may depend on each other (Chiang et
 * al. 2022, equations 2.3 and 3.2, as in DoubleML).
 */
public final class SampleSums {
    private final EffectData data;
    private final Folds folds;
    private final int ways;

    public SampleSums(EffectData data, Folds folds) {
        this.data = data;
        this.folds = folds;
        this.ways = data.clusters().size();
    }

    /**
     * Divisor of the variance of a mean: the number of observations, or, with clusters, the number
     * of clusters of the way that has fewer.
     */
    public double effectiveSize() {
        double size = ways == 0 ? data.size() : Double.POSITIVE_INFINITY;
        for (EffectData.Codes each : data.clusters()) {
            size = Math.min(size, each.count());
        }
        return size;
    }

    /** The mean of a quantity. */
    double mean(double[] values) {
        if (ways == 0) {
            return ScoreElements.mean(values);
        }
        double sum = 0;
        for (double each : means(values)) {
            sum += each;
        }
        return sum / folds.count();
    }

    /** The mean of a quantity in each part. */
    double[] means(double[] values) {
        double[] means = new double[folds.count()];
        int[] counts = new int[folds.count()];
        for (int i = 0; i < values.length; i++) {
            means[folds.part(i)] += values[i];
            counts[folds.part(i)]++;
        }
        for (int part = 0; part < means.length; part++) {
            double weight = ways > 0 ? 1 : counts[part];
            for (int way = 0; way < ways; way++) {
                weight *= folds.clusters(way, folds.group(part, way));
            }
            means[part] /= weight;
        }
        return means;
    }

    /** The mean product of two scores. */
    public double product(double[] first, double[] second) {
        if (ways == 0) {
            double sum = 0;
            for (int i = 0; i < first.length; i++) {
                sum += first[i] * second[i];
            }
            return sum / first.length;
        }
        double total = 0;
        for (int way = 0; way < ways; way++) {
            total += clustered(first, second, way);
        }
        return total / folds.count();
    }

    /**
     * Adds the products of the cluster sums of one way. A cluster has a separate sum in each part.
     */
    private double clustered(double[] first, double[] second, int way) {
        EffectData.Codes codes = data.clusters().get(way);
        int others = ways == 2 ? folds.perWay() : 1;
        double[] one = new double[codes.count() * others];
        double[] two = new double[codes.count() * others];
        int[] part = new int[codes.count() * others];
        for (int i = 0; i < first.length; i++) {
            int cell = codes.values()[i] * others + (ways == 2 ? folds.groupOf(i, 1 - way) : 0);
            one[cell] += first[i];
            two[cell] += second[i];
            part[cell] = folds.part(i);
        }
        double sum = 0;
        for (int cell = 0; cell < one.length; cell++) {
            if (one[cell] != 0 || two[cell] != 0) {
                sum += weight(part[cell]) * one[cell] * two[cell];
            }
        }
        return sum;
    }

    private double weight(int part) {
        double first = folds.clusters(0, folds.group(part, 0));
        if (ways == 1) {
            return 1 / first;
        }
        double second = folds.clusters(1, folds.group(part, 1));
        return Math.min(first, second) / (first * second * first * second);
    }
}
