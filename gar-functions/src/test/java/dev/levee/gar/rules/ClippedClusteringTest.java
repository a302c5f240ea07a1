package dev.levee.gar.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Aggregator;
import dev.levee.gar.BlockKernels;
import dev.levee.gar.Draws;
import dev.levee.gar.LookResult;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Rules;
import dev.levee.gar.Samples;
import dev.levee.gar.Step;
import dev.levee.gar.block.Span;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

class ClippedClusteringTest {
    private static final ClippedClustering RULE = new ClippedClustering();

    /**
     * Norms 5, 5, 10, 20: clipped to 7.5. The last points the other way, so it is alone: (3, 4),
     * (4, 3), (6, 8)·0.75 = (4.5, 6).
     */
    @Test
    void clipsToTheMedianAndKeepsTheLargerCluster() {
        float[][] rows = {{3, 4}, {4, 3}, {6, 8}, {-12, -16}};
        assertThat(Rules.aggregate(RULE, rows, 1, 1))
                .containsExactly((float) (11.5 / 3), (float) (13 / 3.0));
    }

    /** Of 1, 1, 1, 4, 4, 9 the median is 2.5, to which all rows of the second round are clipped. */
    @Test
    void remembersNormsOfEarlierRounds() {
        Aggregator aggregator = new Aggregator(RULE, 1, 1);
        assertThat(aggregator.aggregate(new float[][] {{1}, {1}, {1}})).containsExactly(1);
        assertThat(aggregator.aggregate(new float[][] {{4}, {4}, {9}})).containsExactly(2.5f);
        assertThat(aggregator.last().state().values()).containsExactly(1, 1, 1, 4, 4, 9);
    }

    /** Two and two: the cluster of the lowest row. A zero row is at distance 1 from each. */
    @Test
    void tiesGoToTheLowestRow() {
        assertThat(Rules.aggregate(RULE, new float[][] {{1}, {-1}, {1}, {-1}}, 1, 1))
                .containsExactly(1);
        assertThat(Rules.aggregate(RULE, new float[][] {{-1}, {1}, {0}}, 1, 1))
                .containsExactly(-0.5f);
    }

    /** Many distances are equal, so ties decide. */
    @Test
    void clustersMergeAsIfAllPairsWereCompared() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            int n = 1 + random.nextInt(20);
            double[][] distances = new double[n][n];
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < i; j++) {
                    distances[i][j] = seed % 2 == 0 ? random.nextInt(4) / 3.0 : random.nextDouble();
                    distances[j][i] = distances[i][j];
                }
            }
            assertThat(AverageLinkage.larger(distances))
                    .as("seed %d", seed)
                    .isEqualTo(comparingAllPairs(distances));
        }
    }

    private static boolean[] comparingAllPairs(double[][] distances) {
        int n = distances.length;
        double[][] d = Arrays.stream(distances).map(double[]::clone).toArray(double[][]::new);
        List<List<Integer>> members = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            members.add(new ArrayList<>(List.of(i)));
        }
        for (int left = n; left > 2; left--) {
            int a = 0;
            int b = 0;
            double least = Double.POSITIVE_INFINITY;
            for (int i = 0; i < n; i++) {
                for (int j = i + 1; j < n && !members.get(i).isEmpty(); j++) {
                    if (!members.get(j).isEmpty() && d[i][j] < least) {
                        least = d[i][j];
                        a = i;
                        b = j;
                    }
                }
            }
            int sizeA = members.get(a).size();
            int sizeB = members.get(b).size();
            for (int k = 0; k < n; k++) {
                d[a][k] = (sizeA * d[a][k] + sizeB * d[b][k]) / (sizeA + sizeB);
                d[k][a] = d[a][k];
            }
            members.get(a).addAll(members.get(b));
            members.get(b).clear();
        }
        boolean[] larger = new boolean[n];
        List<Integer> most = members.get(0);
        for (List<Integer> each : members) {
            most = each.size() > most.size() ? each : most;
        }
        most.forEach(i -> larger[i] = true);
        return larger;
    }

    @Test
    void rowsThatAreNotFiniteAreNeitherUsedNorRemembered() {
        Aggregator aggregator = new Aggregator(RULE, 2, 1);
        float[][] rows = {{2}, {Float.NaN}, {2}, {Float.NEGATIVE_INFINITY}, {2}};
        assertThat(aggregator.aggregate(rows)).containsExactly(2);
        assertThat(aggregator.last().state().values()).containsExactly(2, 2, 2);
        assertThat(aggregator.last().map().uses(1)).isFalse();
    }

    /** A run whose state goes through serialization each round is the run that keeps it. */
    @Test
    void stateSurvivesACheckpoint() throws Exception {
        Random random = new Random(4);
        RuleState kept = RuleState.NONE;
        RuleState restored = RuleState.NONE;
        for (int round = 0; round < 20; round++) {
            float[][] rows = Samples.hard(random, 7, 12);
            LookResult looked =
                    BlockKernels.look(
                            RULE.look(),
                            RowMap.identity(7, 7),
                            rows,
                            null,
                            new Span(0, 12, 1, round),
                            12);
            Step.Reduce a = decide(looked, round, kept);
            Step.Reduce b = decide(looked, round, restored);
            assertThat(b.map().weights()).isDeepEqualTo(a.map().weights());
            kept = a.state();
            restored = travel(b.state());
            assertThat(restored.values()).isEqualTo(kept.values());
        }
        assertThat(kept.values().length).isGreaterThan(20);
    }

    /** The oldest norms are forgotten first. */
    @Test
    void memoryIsBounded() {
        double[] old = new double[ClippedClustering.MEMORY - 1];
        Arrays.setAll(old, i -> 1 + Draws.uniform(1, i));
        LookResult looked = new LookResult(3, new double[] {0, 16, 25}, new double[] {20, 0, 0});
        RuleState state = decide(looked, 0, new RuleState(old), 2).state();
        assertThat(state.values()).hasSize(ClippedClustering.MEMORY);
        assertThat(state.values()).startsWith(old[1], old[2]).endsWith(old[old.length - 1], 4, 5);
    }

    private static Step.Reduce decide(LookResult looked, int round, RuleState state) {
        return decide(looked, round, state, 7);
    }

    private static Step.Reduce decide(LookResult looked, int round, RuleState state, int n) {
        Round seen = new Round(n, 0, round, 1);
        return (Step.Reduce) RULE.decide(0, RowMap.identity(n, n), looked, seen, state);
    }

    private static RuleState travel(RuleState state) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(state);
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (RuleState) in.readObject();
        }
    }
}
