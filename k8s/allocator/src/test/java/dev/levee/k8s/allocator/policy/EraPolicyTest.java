package dev.levee.k8s.allocator.policy;

import static dev.levee.k8s.allocator.Jobs.measured;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobMemory;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Jobs;
import dev.levee.k8s.allocator.LearningRateRule;
import dev.levee.k8s.allocator.Measurement;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.Progress;
import dev.levee.k8s.allocator.Snapshot;
import dev.levee.k8s.allocator.internal.BatchDoubling;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

class EraPolicyTest {
    private static final Policy ERA = Policies.named("era", 240);
    private static final JobSpec SPEC = Jobs.spec("a", 0, 1, 2, 16);

    private static List<Decision> decide(int slots, JobView... jobs) {
        return ERA.decide(new Snapshot(Jobs.NOW, slots, 0, List.of(jobs)));
    }

    @Test
    void aJobAloneGetsAllItMayHave() {
        Decision decision = decide(64, Jobs.view(SPEC, 2, measured(2, 30))).get(0);
        assertThat(decision.workers()).isEqualTo(16);
        assertThat(decision.why())
                .isEqualTo(
                        "from 2 to 16 workers (1 to 16 allowed): efficiency 1.00 at 2 workers,"
                                + " penalty 0.00; batch stays at 16 (compute 90 %, memory 50 %)");
    }

    @Test
    void aWaitingJobMakesOthersGiveWay() {
        JobSpec krum = Jobs.spec("b", 5, 9, 9, 16);
        List<Decision> decisions =
                decide(16, Jobs.view(SPEC, 16, measured(16, 200)), Jobs.view(krum, 0));
        assertThat(decisions).extracting(Decision::workers).containsExactly(7, 9);
    }

    @Test
    void jobsEnterInOrderOfArrival() {
        // The second does not fit, so the third waits behind it although it would.
        List<Decision> decisions =
                decide(
                        10,
                        Jobs.view(Jobs.spec("a", 1, 8, 8, 8), 0),
                        Jobs.view(Jobs.spec("b", 2, 4, 4, 8), 0),
                        Jobs.view(Jobs.spec("c", 3, 1, 1, 8), 0));
        assertThat(decisions).extracting(Decision::workers).containsExactly(8, 0, 0);
        assertThat(decisions.get(1).why()).startsWith("waits: its minimum of 4 workers");
    }

    @Test
    void doublesTheBatchOfIdleWorkersAndTheLearningRateWithIt() {
        Decision decision = decide(2, Jobs.view(SPEC, 2, measured(2, 16, 30, 0.84, 0.79))).get(0);
        assertThat(decision.localBatch()).isEqualTo(32);
        assertThat(decision.learningRate()).isEqualTo(0.2);
    }

    @Test
    void thresholdsAndLearningRateRuleCanBeSet() {
        Tuning tuning =
                new Tuning(0.5, 0.5, 0, LearningRateRule.SQUARE_ROOT, Double.POSITIVE_INFINITY);
        Snapshot snapshot =
                new Snapshot(
                        Jobs.NOW, 8, 0, List.of(Jobs.view(SPEC, 8, measured(8, 16, 30, 0.6, 0.1))));
        for (String name : Policies.names()) {
            Policy policy = Policies.named(name, 240, tuning);
            Decision decision = policy.decide(snapshot).get(0);
            int batch = decision.localBatch();
            assertThat(decision.learningRate())
                    .as(name)
                    .isEqualTo(LearningRateRule.SQUARE_ROOT.of(SPEC, decision.workers(), batch));
            if (!policy.choosesBatch()) {
                assertThat(batch).as(name).isEqualTo(16);
            }
        }
    }

    @Test
    void leavesTheBatchOfBusyOrFullWorkers() {
        for (Measurement last :
                List.of(measured(2, 16, 30, 0.85, 0.1), measured(2, 16, 30, 0.1, 0.80))) {
            assertThat(decide(2, Jobs.view(SPEC, 2, last)).get(0).localBatch()).isEqualTo(16);
        }
    }

    @Test
    void thresholdsOfOneSetNoLimit() {
        JobView full = Jobs.view(SPEC, 2, measured(2, 16, 30, 1, 1));
        assertThat(new BatchDoubling(1, 1).next(full, 2).localBatch()).isEqualTo(32);
    }

    @Test
    void remembersTheCeilingAndTheLargestGlobalBatch() {
        Measurement idle = measured(2, 16, 30, 0.1, 0.1);
        JobMemory ceiling = new JobMemory(List.of(idle), 0, 16, 0, Jobs.NOW, 2);
        JobView full =
                new JobView(
                        SPEC,
                        2,
                        Integer.MAX_VALUE,
                        16,
                        ceiling,
                        Double.NaN,
                        Double.NaN,
                        Progress.UNKNOWN);
        assertThat(decide(2, full).get(0).why()).endsWith("twice that ran out of memory");

        JobSpec bounded = new JobSpec("a", Instant.EPOCH, new JobBounds(1, 16, 2, 16, 100, 0.1));
        Decision decision = decide(64, Jobs.view(bounded, 2, idle)).get(0);
        assertThat(decision.workers()).isEqualTo(6); // 6 × 16 ≤ 100
        assertThat(decision.localBatch()).isEqualTo(16);
    }

    @ParameterizedTest
    @ValueSource(strings = {"era-pause", "era-curve", "era-nodes"})
    void aPauseOfManyDecisionsCountsAsOne(String name) {
        List<Decision> afterOne = afterPause(name, 240);
        assertThat(afterPause(name, 10_000)).isEqualTo(afterOne);
        assertThat(afterPause("era-curve", 10_000).get(0).workers()).isLessThan(8);
    }

    /** A job with all slots but one was stopped so long; another has the last slot. */
    private static List<Decision> afterPause(String name, double seconds) {
        JobView large = Jobs.view(SPEC, 8, measured(8, 80));
        JobView stopped =
                new JobView(
                        SPEC,
                        8,
                        Integer.MAX_VALUE,
                        16,
                        large.memory(),
                        Double.NaN,
                        seconds,
                        Progress.UNKNOWN);
        JobView small = Jobs.view(Jobs.spec("b", 1, 1, 1, 16), 1, measured(1, 10));
        return Policies.named(name, 240)
                .decide(new Snapshot(Jobs.NOW, 9, 0, List.of(stopped, small)));
    }

    @Test
    void tenThousandJobsGetAllSlots() {
        Snapshot snapshot = manyJobs(10_000, 100_000);
        assertThat(ERA.decide(snapshot).stream().mapToInt(Decision::workers).sum())
                .isEqualTo(100_000);
    }

    private static Snapshot manyJobs(int jobs, int slots) {
        List<JobView> views = new ArrayList<>();
        for (int j = 0; j < jobs; j++) {
            Measurement[] history = new Measurement[8];
            for (int n = 1; n <= history.length; n++) {
                history[n - 1] = measured(n, 10 + (5 + j % 7) * n);
            }
            views.add(Jobs.view(Jobs.spec("job-" + j, j, 1, 2, 64), 1 + j % 8, history));
        }
        return new Snapshot(Jobs.NOW, slots, 3, views);
    }
}
