package dev.levee.k8s.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.SlotSpeeds;
import dev.levee.k8s.allocator.policy.Policies;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.stream.IntStream;

class FairnessTest {
    private static final Timing TIMING = new Timing(120, 240, 0);

    /** Of n workers with 16 samples each: 16·n samples/s. */
    private static Submission submission(String id, double at, int start, double samples) {
        JobSpec spec =
                new JobSpec(id, Simulation.instant(at), new JobBounds(1, 16, start, 16, 256, 0.1));
        return new Submission(
                spec,
                spec,
                () ->
                        new SyntheticJob(
                                0.84,
                                0.01,
                                0,
                                16,
                                16,
                                Double.POSITIVE_INFINITY,
                                samples,
                                SlotSpeeds.NOMINAL));
    }

    private static Fairness fairness(String policy, ClusterSize size, Submission... jobs) {
        Workload workload = new Workload("test", List.of(jobs));
        Policy named = Policies.named(policy, 240);
        Outcome outcome = Simulation.run(workload, named, size, TIMING, point -> {});
        return Fairness.of(outcome, workload, named, size, TIMING);
    }

    /**
     * Two jobs of two workers on two slots. The first runs from 10 s to 110 s, the second,
     * submitted at 20 s, from the decision at 240 s to 250 s.
     *
     * <p>The first shares with 10 s · 1 and 90 s · 2 jobs: N = 1.9, a share of 2/1.9 slots. It
     * needs two, so it would have them for 1/1.9 of the time: T_id = 100 s · 1.9, ρ = 100/190.
     *
     * <p>The second shares with 90 s · 2 and 140 s · 1 jobs: N = 320/230. Alone it takes 10 s, so
     * T_id = 10 s · 320/230, ρ = 230/13.913.
     */
    @Test
    void anExampleByHand() {
        Fairness fairness =
                fairness(
                        "static",
                        new ClusterSize(1, 2),
                        submission("first", 10, 2, 3200),
                        submission("second", 20, 2, 320));
        assertThat(fairness.rho().get(0)).isCloseTo(100 / 190.0, within(1e-9));
        assertThat(fairness.rho().get(1)).isCloseTo(230 * 230 / 3200.0, within(1e-9));
        assertThat(fairness.worst()).isEqualTo(fairness.rho().get(1));
        assertThat(fairness.percentile90()).isEqualTo(fairness.rho().get(1));
    }

    /**
     * Two jobs, one of one worker for 100 s and one of two for 300 s, on four slots at once. The
     * first has N = 2 and a share of two slots, the second N = 4/3 and one of three; neither could
     * use more than it asks for, so neither gains or loses by the other.
     */
    @Test
    void whoHasAllItAsksForIsAtOne() {
        Fairness fairness =
                fairness(
                        "static",
                        new ClusterSize(1, 4),
                        submission("small", 0, 1, 1600),
                        submission("large", 0, 2, 9600));
        assertThat(fairness.rho()).allSatisfy(rho -> assertThat(rho).isCloseTo(1, within(1e-9)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"static", "afs-p", "era", "era-goodput", "tiresias"})
    void aJobAloneIsAtOne(String policy) {
        assertThat(
                        fairness(
                                        policy,
                                        ClusterSize.parse("2x4,1x4@0.5"),
                                        submission("a", 50, 2, 100_000))
                                .rho())
                .containsExactly(1.0);
    }

    /** With 2.25 slots, it has three for a quarter of the time; with a quarter of one, likewise. */
    @Test
    void aShareThatIsNoWholeNumberIsInBetween() {
        Workload workload = new Workload("one", List.of(submission("a", 0, 1, 100_000)));
        Policy policy = Policies.named("afs-p", 240);
        SoloDurations alone = new SoloDurations(workload, policy, new ClusterSize(2, 4), TIMING);
        double two = alone.seconds("a", 2);
        double three = alone.seconds("a", 3);
        assertThat(three).isLessThan(two);
        assertThat(alone.seconds("a", 2.0)).isEqualTo(two);
        assertThat(1 / alone.seconds("a", 2.25))
                .isCloseTo(0.75 / two + 0.25 / three, within(1e-12));
        assertThat(alone.seconds("a", 0.25)).isCloseTo(4 * alone.seconds("a", 1), within(1e-9));
    }

    @Test
    void nineOfTenDoNotExceedThePercentile() {
        List<Double> rho = IntStream.rangeClosed(1, 20).mapToObj(i -> 21.0 - i).toList();
        assertThat(new Fairness(rho).percentile90()).isEqualTo(18);
        assertThat(new Fairness(rho).worst()).isEqualTo(20);
        assertThat(new Fairness(List.of(3.0)).percentile90()).isEqualTo(3);
    }
}
