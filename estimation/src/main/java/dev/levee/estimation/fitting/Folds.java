package dev.levee.estimation.fitting;

import dev.levee.estimation.EffectData;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A sample split for cross-fitting. Without clusters, observations are dealt to K parts. With
 * one-way clusters, whole clusters are dealt to K parts. With two-way clusters, the clusters of
 * each way are dealt to K groups, and each pair of groups is one of K² parts. A part shares no
 * cluster of either way with its training sample (Chiang et al. 2022, "Multiway cluster robust
 * double/debiased machine learning").
 */
public final class Folds {
    private final int perWay;
    private final int[][] group;
    private final int[][] clusters;

    /**
     * Takes, for each way, the groups of observations and, if there are clusters, the groups of
     * clusters.
     */
    private Folds(int perWay, int[][] group, int[][] clusterGroup) {
        this.perWay = perWay;
        this.group = group;
        this.clusters = new int[clusterGroup.length][perWay];
        for (int way = 0; way < clusterGroup.length; way++) {
            for (int each : clusterGroup[way]) {
                clusters[way][each]++;
            }
        }
    }

    /** The sample split of a repetition, which is given or drawn. */
    static Folds of(EffectData data, int folds, long seed, int repetition) {
        int n = data.size();
        int ways = data.clusters().size();
        if (!data.given().isEmpty()) {
            return given(data, folds);
        }
        SplittableRandom random = Seeds.random(seed, repetition);
        if (ways == 0) {
            return new Folds(folds, new int[][] {deal(n, folds, random)}, new int[0][]);
        }
        int[][] clusters = new int[ways][];
        int[][] observations = new int[ways][n];
        for (int way = 0; way < ways; way++) {
            EffectData.Codes codes = data.clusters().get(way);
            clusters[way] = deal(codes.count(), folds, random);
            for (int i = 0; i < n; i++) {
                observations[way][i] = clusters[way][codes.values()[i]];
            }
        }
        return new Folds(folds, observations, clusters);
    }

    private static Folds given(EffectData data, int folds) {
        int[][] groups = data.given().stream().map(EffectData.Codes::values).toArray(int[][]::new);
        int[][] clusters = new int[data.clusters().size()][];
        for (int way = 0; way < clusters.length; way++) {
            EffectData.Codes codes = data.clusters().get(way);
            clusters[way] = new int[codes.count()];
            for (int i = 0; i < data.size(); i++) {
                clusters[way][codes.values()[i]] = groups[way][i];
            }
        }
        return new Folds(folds, groups, clusters);
    }

    /** Deals n items at random to groups whose sizes differ by at most one. */
    private static int[] deal(int n, int groups, SplittableRandom random) {
        int[] dealt = new int[n];
        Arrays.setAll(dealt, i -> i % groups);
        for (int i = n - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int held = dealt[i];
            dealt[i] = dealt[other];
            dealt[other] = held;
        }
        return dealt;
    }

    /** Number of parts. */
    int count() {
        return ways() == 2 ? perWay * perWay : perWay;
    }

    /** Number of ways to split: 1, or 2 for two-way clusters. */
    int ways() {
        return group.length;
    }

    /** Number of groups of each way. */
    int perWay() {
        return perWay;
    }

    /** The group of a part in a way. */
    int group(int part, int way) {
        return ways() == 1 ? part : way == 0 ? part / perWay : part % perWay;
    }

    /** The group of an observation in a way. */
    int groupOf(int observation, int way) {
        return group[way][observation];
    }

    /** The part in which an observation is predicted. */
    int part(int observation) {
        return ways() == 1
                ? group[0][observation]
                : group[0][observation] * perWay + group[1][observation];
    }

    /** Number of clusters of a way in one of its groups. */
    int clusters(int way, int of) {
        return clusters[way][of];
    }

    /** The observations of a part, for which predictions are made, in ascending order. */
    public int[] test(int part) {
        return IntStream.range(0, group[0].length).filter(i -> part(i) == part).toArray();
    }

    /** The observations on which a part's nuisance functions are fitted, in ascending order. */
    public int[] train(int part) {
        return IntStream.range(0, group[0].length)
                .filter(
                        i ->
                                IntStream.range(0, ways())
                                        .allMatch(way -> group[way][i] != group(part, way)))
                .toArray();
    }
}
