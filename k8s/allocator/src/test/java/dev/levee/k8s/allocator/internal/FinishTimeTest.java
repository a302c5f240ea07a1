package dev.levee.k8s.allocator.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.k8s.allocator.JobMemory;
import dev.levee.k8s.allocator.JobMemory.Contention;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Jobs;
import dev.levee.k8s.allocator.Measurement;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.Progress;
import dev.levee.k8s.allocator.Snapshot;
import dev.levee.k8s.allocator.policy.Policies;

import org.junit.jupiter.api.Test;

import java.util.List;

/** A job that was submitted 1000 s ago and that one worker gives a round a second. */
class FinishTimeTest {
    private static final int SLOTS = 4;
    private static final Policy KNOWN = Policies.named("era-goodput", 60);
    private static final Policy UNKNOWN = Policies.named("era-goodput-unknown", 60);
    private static final Measurement MEASURED = Jobs.measured(1, 16);

    private static double rho(
            Policy policy, double jobs, Progress progress, Measurement... history) {
        JobMemory memory =
                new JobMemory(
                        List.of(history),
                        0,
                        Integer.MAX_VALUE,
                        250,
                        Jobs.NOW,
                        1,
                        0,
                        new Contention(1000, 1000 * jobs),
                        JobMemory.Pauses.since(Jobs.NOW));
        JobView job =
                new JobView(
                        Jobs.spec("a", Jobs.NOW.getEpochSecond() - 1000, 1, 1, 16),
                        1,
                        Integer.MAX_VALUE,
                        16,
                        memory,
                        Double.NaN,
                        Double.NaN,
                        progress);
        return FinishTime.rho(job, new Snapshot(Jobs.NOW, SLOTS, 0, List.of(job)), policy, 60);
    }

    @Test
    void whatIsMadeAndLeftTakesItsTimeOnTheShare() {
        Progress progress = new Progress(200, 300, Double.NaN);
        // Four jobs: a share of one slot, a round a second.
        assertThat(rho(KNOWN, 4, progress, MEASURED)).isCloseTo(1300 / 500.0, within(1e-9));
        assertThat(rho(UNKNOWN, 4, progress, MEASURED)).isCloseTo(1000 / 200.0, within(1e-9));
        // Eight jobs: half a slot, a round in two seconds.
        assertThat(rho(KNOWN, 8, progress, MEASURED)).isCloseTo(1600 / 1000.0, within(1e-9));
    }

    @Test
    void aLargerShareIsWorthWhatTheModelSays() {
        double two = new Goodput(job(MEASURED), 1).best(2, 1, 1).rate();
        double one = new Goodput(job(MEASURED), 1).best(1, 1, 1).rate();
        double made = 200 / (0.75 * one + 0.25 * two);
        assertThat(rho(UNKNOWN, 3.2, new Progress(200, 0, 1e9), MEASURED))
                .isCloseTo(1000 / made, within(1e-6));
    }

    private static JobView job(Measurement measured) {
        JobView bare = Jobs.view(Jobs.spec("a", 0, 1, 1, 16), 1, measured);
        return new JobView(
                bare.spec(),
                bare.workers(),
                bare.usableWorkers(),
                bare.localBatch(),
                bare.memory(),
                Double.NaN,
                Double.NaN,
                new Progress(200, 0, 1e9));
    }

    @Test
    void whoNeverMadeAnythingCountsAsShort() {
        assertThat(rho(KNOWN, 4, new Progress(0, 300, Double.NaN), MEASURED))
                .isCloseTo(1300 / 360.0, within(1e-9));
    }

    /** 250 worker-seconds are 250 s on a share of one slot. */
    @Test
    void whereNobodyKnowsProgressWorkerSecondsCount() {
        assertThat(rho(KNOWN, 4, Progress.UNKNOWN, MEASURED)).isCloseTo(4, within(1e-9));
        assertThat(rho(KNOWN, 4, Progress.UNKNOWN)).isCloseTo(4, within(1e-9));
    }
}
