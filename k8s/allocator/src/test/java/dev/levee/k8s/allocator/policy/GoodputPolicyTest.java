package dev.levee.k8s.allocator.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.k8s.allocator.BatchRange;
import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobMemory;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Jobs;
import dev.levee.k8s.allocator.Measurement;
import dev.levee.k8s.allocator.Progress;
import dev.levee.k8s.allocator.SlotClass;
import dev.levee.k8s.allocator.Snapshot;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

class GoodputPolicyTest {
    private static final double NOISE = 1600;

    /** A round of one worker takes 0.4 s and 0.025 s a sample; all later measurements too. */
    private static JobView job(
            String id, int workers, double made, double left, Measurement... history) {
        JobSpec spec =
                new JobSpec(
                        id,
                        Instant.EPOCH,
                        new JobBounds(1, 16, 1, 16, 1024, 0.1),
                        new BatchRange(16, 1, 64, true),
                        true);
        JobMemory memory =
                new JobMemory(List.of(history), 0, Integer.MAX_VALUE, 0, Jobs.NOW, workers);
        return new JobView(
                spec,
                workers,
                Integer.MAX_VALUE,
                16,
                memory,
                Double.NaN,
                30,
                new Progress(made, left, NOISE));
    }

    private static Measurement alone() {
        return measured(1, 1);
    }

    private static Measurement measured(int workers, int nodes) {
        return new Measurement(Jobs.NOW, workers, 16, 20.0 * workers, 1, 0.3, 1, nodes, 1);
    }

    private static List<Decision> decide(String policy, int slots, JobView... jobs) {
        return Policies.named(policy, 60)
                .decide(
                        new Snapshot(
                                Jobs.NOW, List.of(new SlotClass(1, slots, 4)), 0, List.of(jobs)));
    }

    @Test
    void anUnmeasuredJobStartsWithOneWorkerAtTheReferenceBatch() {
        Decision decision = decide("era-goodput", 8, job("a", 0, 0, 100)).get(0);
        assertThat(decision.workers()).isEqualTo(1);
        assertThat(decision.localBatch()).isEqualTo(16);
        assertThat(decision.why())
                .isEqualTo("starts with 1 worker (1 to 16 allowed) until it is measured; batch 16");
    }

    @Test
    void saysWhatItBidsAndWhyThisBatch() {
        Decision decision = decide("era-goodput", 4, job("a", 1, 500, 500, alone())).get(0);
        assertThat(decision.workers()).isEqualTo(4);
        assertThat(decision.why())
                .isEqualTo(
                        "from 1 to 4 workers (1 to 16 allowed): bids 0.714 for 6.67 rounds of"
                                + " progress/s, slots go for 0 each; batch 244 counts as 13.4 rounds"
                                + " at 16, with a noise scale of 1600");
    }

    @Test
    void growsBeyondFourfoldOnlyWhereSlotsAreLeftOver() {
        JobView a = job("a", 1, 500, 1e6, alone());
        JobView b = job("b", 1, 500, 1e6, alone());
        assertThat(decide("era-goodput", 16, a)).extracting(Decision::workers).containsExactly(16);
        assertThat(decide("era-goodput", 16, a, b))
                .extracting(Decision::workers)
                .containsExactly(8, 8);
        assertThat(decide("era-goodput", 7, a, b))
                .extracting(Decision::workers)
                .allMatch(workers -> workers <= 4);
    }

    @Test
    void aLongJobWaitsForShortOnesUnlessItsLengthIsUnknown() {
        JobView longest = job("long", 1, 100, 10_000_000, alone());
        JobView[] jobs = {longest, job("b", 1, 100, 100, alone()), job("c", 1, 100, 100, alone())};
        List<Decision> declared = decide("era-goodput", 2, jobs);
        assertThat(declared.get(2).job()).isEqualTo("long");
        assertThat(declared).extracting(Decision::workers).containsExactly(1, 1, 0);
        assertThat(declared.get(2).why())
                .matches("waits: it bids .* for 1 worker, and slots go for .* each");
        // All have made as much progress, so the first two by name run.
        assertThat(decide("era-goodput-unknown", 2, jobs))
                .extracting(Decision::workers)
                .containsExactly(1, 1, 0);
    }

    @Test
    void whatWasDeclaredAndIsExceededCountsAsUnknown() {
        JobView over = job("over", 1, 100, -1, alone());
        JobView same = job("same", 1, 100, Double.NaN, alone());
        assertThat(decide("era-goodput", 8, over).get(0).workers())
                .isEqualTo(decide("era-goodput", 8, same).get(0).workers());
    }

    private static Measurement measured(int workers, double compute, double speed) {
        return new Measurement(Jobs.NOW, workers, 16, 20, compute, 0.3, speed, 1, 1);
    }

    private static List<Decision> onHalfSlowSlots(JobView... jobs) {
        List<SlotClass> classes = List.of(new SlotClass(1, 1, 1), new SlotClass(0.5, 1, 1));
        return Policies.named("era-goodput", 60)
                .decide(new Snapshot(Jobs.NOW, classes, 0, List.of(jobs)));
    }

    @Test
    void aFastSlotGoesToTheJobThatComputesMost() {
        // A round is 0.8 s for both; a computes all of it, b a tenth: on slow slots 1.6 s and 0.88.
        JobView a = job("a", 1, 500, 5000, measured(1, 1, 1));
        JobView b = job("b", 1, 500, 5000, measured(1, 0.1, 1));
        for (List<Decision> decisions : List.of(onHalfSlowSlots(a, b), onHalfSlowSlots(b, a))) {
            assertThat(decisions).extracting(Decision::workers).containsExactly(1, 1);
            assertThat(decisions).extracting(Decision::slowest).containsExactly(1.0, 0.5);
        }
        assertThat(onHalfSlowSlots(a, b).get(1).why())
                .startsWith(
                        "keeps 1 worker (1 to 16 allowed) on slots of speed 0.50 or more: bids");
    }

    @Test
    void aJobOnASlowSlotMovesToAFastOneThatIsFree() {
        // 1.6 s on the slow one are 0.8 s on the fast one, and a pause of 30 s of 180 costs less.
        JobView slow = job("slow", 1, 500, 5000, measured(1, 1, 0.5));
        assertThat(onHalfSlowSlots(slow).get(0).slowest()).isEqualTo(1);
    }

    @Test
    void equalSlotsOfAnySpeedAreOne() {
        for (double speed : new double[] {1, 0.5, 3}) {
            Measurement seen = new Measurement(Jobs.NOW, 1, 16, 20, 0.9, 0.3, speed, 1, 1);
            List<Decision> decisions =
                    Policies.named("era-goodput", 60)
                            .decide(
                                    new Snapshot(
                                            Jobs.NOW,
                                            List.of(new SlotClass(speed, 7, 4)),
                                            0,
                                            List.of(
                                                    job("a", 1, 500, 1e6, seen),
                                                    job("b", 1, 500, 100, seen))));
            assertThat(decisions)
                    .isEqualTo(
                            decide(
                                    "era-goodput",
                                    7,
                                    job("a", 1, 500, 1e6, measured(1, 0.9, 1)),
                                    job("b", 1, 500, 100, measured(1, 0.9, 1))));
        }
    }

    @Test
    void aJobThatIsSpreadOverNodesMovesTogether() {
        Measurement spread =
                new Measurement(Jobs.NOW, 4, 16, 20, 0.25, 0.3, 1, 4, 1); // exchange 2.4 s of 3.2
        JobView job = job("a", 4, 1e6, 1e6, alone(), spread);
        Decision decision = decide("era-goodput", 4, job).get(0);
        assertThat(decision.workers()).isEqualTo(4);
        assertThat(decision.moves()).isTrue();
        assertThat(decision.why()).contains("moved from 4 nodes to fewer");
    }

    /**
     * Four workers on four hosts: the exchange takes 2.4 s of 3.2, on one host it would be free.
     */
    @Test
    void whereNodesAreUnknownAJobIsPredictedOnAsManyHostsAsItWasMeasuredOn() {
        Measurement spread = new Measurement(Jobs.NOW, 4, 16, 20, 0.25, 0.3, 1, 4, 1);
        JobView job = job("a", 4, 1e6, 1e6, alone(), spread);
        for (String policy : List.of("era-goodput", "era-goodput-unknown")) {
            Decision known = decide(policy, 4, 1, job);
            Decision unknown = decide(policy, 4, 0, job);
            assertThat(unknown.moves()).isFalse();
            assertThat(unknown).isEqualTo(known);
        }
    }

    private static Decision decide(String policy, int slots, int perNode, JobView job) {
        List<SlotClass> classes = List.of(new SlotClass(1, slots, perNode));
        return Policies.named(policy, 60)
                .decide(new Snapshot(Jobs.NOW, classes, 0, List.of(job)))
                .get(0);
    }

    @Test
    void whereNodesAreUnknownWorkersArePackedAsInTheNearestMeasurement() {
        JobView job =
                job("a", 4, 0, 0, alone(), measured(8, 8), measured(2, 1), measured(8, 2), alone());
        assertThat(List.of(1, 2, 4, 5, 6, 8, 16))
                .extracting(workers -> job.nodes(workers, 0))
                .containsExactly(1, 1, 1, 2, 2, 2, 4);
        assertThat(job.nodes(16, 8)).isEqualTo(2);
        assertThat(job("b", 1, 0, 0, alone()).nodes(16, 0)).isEqualTo(1);
        assertThat(job("c", 8, 0, 0, measured(8, 1)).nodes(16, 0)).isEqualTo(1);
        assertThat(job("d", 8, 0, 0, measured(8, 2)).nodes(4, 0)).isEqualTo(1);
        assertThat(job("e", 17, 0, 0, measured(17, 7)).nodes(17, 0)).isEqualTo(7);
    }

    @Test
    void numbersHaveThreeDigits() {
        assertThat(
                        List.of(
                                Reasons.threeDigits(1234.5),
                                Reasons.threeDigits(12.345),
                                Reasons.threeDigits(0.0012345),
                                Reasons.threeDigits(0),
                                Reasons.threeDigits(-2.5),
                                Reasons.threeDigits(1e20)))
                .containsExactly("1235", "12.3", "0.00123", "0", "-2.50", "very many");
    }
}
