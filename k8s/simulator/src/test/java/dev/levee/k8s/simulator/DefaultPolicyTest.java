package dev.levee.k8s.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.k8s.allocator.policy.Policies;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The default policy is the one that leads. Where jobs come rarely others have been ahead, because
 * they take free slots at once; docs/benchmarks/policies.md has all the settings that were tried.
 */
class DefaultPolicyTest {
    private static final int SEEDS = 8;
    private static final ClusterSize CLUSTER = new ClusterSize(16, 4);

    @ParameterizedTest
    @CsvSource({
        "Infinity, 60",
        "Infinity, 240",
        "3000, 60",
        "3000, 240",
        "500, 60",
        "500, 240",
    })
    void leadsWhereJobsComeRarely(double noiseScale, double decideEvery) {
        double mean = meanJct(Policies.DEFAULT, noiseScale, decideEvery);
        for (String other : new String[] {"era", "era-curve", "afs-p"}) {
            assertThat(mean).as(other).isLessThan(meanJct(other, noiseScale, decideEvery));
        }
    }

    /** The policy that was made for such clusters stays behind the default. */
    @ParameterizedTest
    @ValueSource(strings = {"8x4,8x4@0.5", "8x4,8x4@0.8", "4x4,12x4@0.5", "12x4,4x4@0.25"})
    void leadsWhereNodesDifferInSpeed(String cluster) {
        ClusterSize size = ClusterSize.parse(cluster);
        double infinite = Double.POSITIVE_INFINITY;
        assertThat(meanJct(Policies.DEFAULT, infinite, 240, size))
                .isLessThan(0.92 * meanJct("era-nodes", infinite, 240, size));
    }

    private static double meanJct(String policy, double noiseScale, double decideEvery) {
        return meanJct(policy, noiseScale, decideEvery, CLUSTER);
    }

    /** Mean over seeds of the average completion time, seconds. */
    private static double meanJct(
            String policy, double noiseScale, double decideEvery, ClusterSize cluster) {
        Timing timing = new Timing(Math.min(120, decideEvery), decideEvery, 30);
        double sum = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            SubmissionSchedule schedule = SubmissionSchedule.named("poisson", 120, seed);
            Workload jobs =
                    SyntheticWorkload.draw(
                            60, 1, noiseScale, SyntheticWorkload.Speeds.NOMINAL, schedule, seed);
            sum +=
                    Simulation.run(
                                    jobs,
                                    Policies.named(policy, decideEvery),
                                    cluster,
                                    timing,
                                    point -> {})
                            .averageJctSeconds();
        }
        return sum / SEEDS;
    }
}
