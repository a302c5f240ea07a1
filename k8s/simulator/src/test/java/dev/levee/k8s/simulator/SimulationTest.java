package dev.levee.k8s.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.SlotSpeeds;
import dev.levee.k8s.allocator.Snapshot;
import dev.levee.k8s.allocator.policy.Policies;
import dev.levee.k8s.allocator.policy.Tuning;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

class SimulationTest {
    private static final Timing TIMING = new Timing(120, 240, 0);

    private static Submission submission(String id, double at, double samples) {
        JobSpec spec =
                new JobSpec(id, Simulation.instant(at), new JobBounds(1, 16, 2, 16, 256, 0.1));
        return new Submission(spec, spec, () -> job(0.84, 0.01, 16, samples));
    }

    private static SyntheticJob job(
            double overhead, double perSample, int memoryBatch, double samples) {
        return new SyntheticJob(
                overhead,
                perSample,
                0,
                memoryBatch,
                16,
                Double.POSITIVE_INFINITY,
                samples,
                SlotSpeeds.NOMINAL);
    }

    private static Outcome run(String policy, ClusterSize size, Submission... jobs) {
        return Simulation.run(
                new Workload("test", List.of(jobs)),
                Policies.named(policy, 240),
                size,
                TIMING,
                point -> {});
    }

    /** Counts workers after each decision. */
    private record Spy(Policy policy, List<Integer> workers) implements Policy {
        @Override
        public String name() {
            return policy.name();
        }

        @Override
        public List<Decision> decide(Snapshot snapshot) {
            List<Decision> decisions = policy.decide(snapshot);
            workers.add(decisions.stream().mapToInt(Decision::workers).sum());
            return decisions;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "era, 16 16 16 16",
        "era-curve, 16 16 16 16",
        "era-goodput, 16 16 16 16",
        "afs-p, 16 16 16 16",
        "autoscaler, 6 10 14 16"
    })
    void oneJobGrowsAsInTheThesis(String name, String expected) {
        Spy spy = new Spy(Policies.named(name, 240), new ArrayList<>());
        Simulation.run(
                new Workload("one", List.of(submission("a", 0, 500_000))),
                spy,
                new ClusterSize(16, 4),
                TIMING,
                point -> {});
        assertThat(spy.workers().subList(0, 4))
                .isEqualTo(Stream.of(expected.split(" ")).map(Integer::valueOf).toList());
    }

    @Test
    void countsSecondsOfAFixedJob() {
        // 2 workers × 16 samples in 0.84 + 0.16 seconds: 32 samples/s.
        Outcome outcome =
                run(
                        "static",
                        new ClusterSize(1, 2),
                        submission("a", 10, 3200),
                        submission("b", 20, 320));
        assertThat(outcome.jobs().get(0).completionSeconds()).isCloseTo(100, within(1e-6));
        // The second waits for the decision at 240 s and runs for 10 s.
        assertThat(outcome.jobs().get(1).finished()).isCloseTo(250, within(1e-6));
        assertThat(outcome.jobs().get(1).waited()).isCloseTo(220, within(1e-6));
        assertThat(outcome.makespanSeconds()).isCloseTo(240, within(1e-6));
        assertThat(outcome.averageJctSeconds()).isCloseTo((100 + 230) / 2.0, within(1e-6));
        assertThat(outcome.averageThroughput()).isCloseTo(3520 / 240.0, within(1e-6));
        assertThat(outcome.restarts()).isZero();
    }

    @Test
    void aSeedGivesOneOutcome() {
        Workload first =
                SyntheticWorkload.draw(20, 1, SubmissionSchedule.named("poisson", 60, 5), 5);
        Workload second =
                SyntheticWorkload.draw(20, 1, SubmissionSchedule.named("poisson", 60, 5), 5);
        ClusterSize size = new ClusterSize(4, 4);
        Policy policy = Policies.named("era", 240);
        assertThat(Simulation.run(first, policy, size, TIMING, point -> {}))
                .isEqualTo(Simulation.run(second, policy, size, TIMING, point -> {}));
    }

    @Test
    void aBatchThatDoesNotFitIsHalvedAndNotTriedAgain() {
        JobSpec spec =
                new JobSpec("a", Simulation.instant(0), new JobBounds(1, 1, 1, 16, 4096, 0.1));
        // 32 are 71 % of the memory, so 64 are tried, which do not fit.
        SyntheticJob job = job(10, 0.001, 45, 200_000);
        List<Integer> batches = new ArrayList<>();
        Policy era = Policies.named("era", 240);
        Policy spy =
                new Policy() {
                    @Override
                    public String name() {
                        return "era";
                    }

                    @Override
                    public List<Decision> decide(Snapshot snapshot) {
                        List<Decision> decisions = era.decide(snapshot);
                        decisions.forEach(each -> batches.add(each.localBatch()));
                        return decisions;
                    }
                };
        Simulation.run(
                new Workload("one", List.of(new Submission(spec, spec, () -> job))),
                spy,
                new ClusterSize(1, 1),
                TIMING,
                point -> {});
        assertThat(batches.subList(0, 4)).containsExactly(32, 64, 32, 32);
        assertThat(batches.subList(3, batches.size())).containsOnly(32);
    }

    @Test
    void aJobRunsAtThePaceOfItsSlowestSlot() {
        // 2 workers × 16 samples in 0.84 + 0.16 / 0.5 seconds.
        Outcome outcome = run("static", ClusterSize.parse("1x1,1x1@0.5"), submission("a", 0, 3200));
        assertThat(outcome.jobs().get(0).completionSeconds()).isCloseTo(116, within(1e-6));
    }

    @Test
    void onNodesOfDifferentSpeedJobsThatDoNotGrowKeepApart() {
        // One worker on a fast slot, one on a slow one, until the first ends.
        List<List<Double>> slowest = new ArrayList<>();
        Policy nodes = Policies.named("era-nodes", 240);
        Policy spy =
                new Policy() {
                    @Override
                    public String name() {
                        return "era-nodes";
                    }

                    @Override
                    public List<Decision> decide(Snapshot snapshot) {
                        List<Decision> decisions = nodes.decide(snapshot);
                        slowest.add(decisions.stream().map(Decision::slowest).toList());
                        return decisions;
                    }
                };
        Simulation.run(
                new Workload(
                        "two", List.of(submission("a", 0, 20_000), submission("b", 1, 20_000))),
                spy,
                ClusterSize.parse("1x2,1x2@0.5"),
                TIMING,
                point -> {});
        assertThat(slowest.get(0)).containsExactlyInAnyOrder(1.0, 0.5);
    }

    /** One slot and a long job, then a stream of short ones. */
    private static Outcome crowded(double longestWait) {
        Submission[] jobs = new Submission[31];
        jobs[0] = single("long", 0, 200_000);
        for (int i = 1; i < jobs.length; i++) {
            jobs[i] = single("short-" + i, 300 * i, 4800);
        }
        return Simulation.run(
                new Workload("crowded", List.of(jobs)),
                Policies.named("era-goodput", 60, Tuning.DEFAULT.withLongestWait(longestWait)),
                new ClusterSize(1, 1),
                new Timing(60, 60, 0),
                point -> {});
    }

    private static Submission single(String id, double at, double samples) {
        JobSpec spec = new JobSpec(id, Simulation.instant(at), new JobBounds(1, 2, 1, 16, 32, 0.1));
        return new Submission(spec, spec, () -> job(0.84, 0.01, 16, samples));
    }

    @Test
    void aSuspendedJobGoesOnAtTheLimit() {
        Outcome free = crowded(Double.POSITIVE_INFINITY);
        double longest = free.jobs().get(0).longestWait();
        assertThat(longest).isGreaterThan(3600);
        Outcome limited = crowded(1200);
        // Others reach the limit as well, and have their turn first.
        assertThat(limited.jobs().get(0).longestWait()).isBetween(1200.0, longest / 2);
        assertThat(crowded(0).jobs().get(0).longestWait()).isZero();
        assertThat(free.averageJctSeconds()).isLessThan(limited.averageJctSeconds());
    }

    @Test
    void samplesOfALargeBatchAreWorthLessWithLittleNoise() {
        // 2 workers × 16 samples in 1 s; with φ = 16, 32 of them are worth 16 × 2 / 1.5.
        SyntheticJob job = new SyntheticJob(0.84, 0.01, 0, 16, 16, 16, 3200, SlotSpeeds.NOMINAL);
        Pace pace = job.pace(new int[] {2}, 16, 1);
        assertThat(pace.samplesPerSecond()).isCloseTo(32, within(1e-9));
        assertThat(pace.progressPerSecond()).isCloseTo(64 / 3.0, within(1e-9));
        assertThat(job.remainingSamples(32)).isCloseTo(4800, within(1e-6));
        assertThat(job.reached(32).left()).isEqualTo(200);
    }

    @Test
    void slowdownIsBesideTheSameJobAlone() {
        Workload two =
                new Workload("two", List.of(submission("a", 10, 3200), submission("b", 20, 320)));
        ClusterSize size = new ClusterSize(1, 2);
        Policy policy = Policies.named("static", 240);
        Outcome outcome = Simulation.run(two, policy, size, TIMING, point -> {});
        // The second would take 10 s and takes 230.
        assertThat(Slowdown.worst(outcome, two, policy, size, TIMING)).isCloseTo(23, within(1e-6));
    }

    @Test
    void refusesAJobThatNeverFits() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> run("static", new ClusterSize(1, 1), submission("a", 0, 1)))
                .withMessage("job a needs 2 workers, but the cluster has room for 1");
    }
}
