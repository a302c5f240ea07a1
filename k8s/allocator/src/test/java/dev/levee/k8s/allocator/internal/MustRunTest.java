package dev.levee.k8s.allocator.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobMemory;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Jobs;
import dev.levee.k8s.allocator.Progress;
import dev.levee.k8s.allocator.Snapshot;

import org.junit.jupiter.api.Test;

import java.util.List;

class MustRunTest {
    private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

    private static JobView job(String id, int least, int workers, double waited) {
        return new JobView(
                Jobs.spec(id, 0, least, least, 16),
                workers,
                Integer.MAX_VALUE,
                16,
                new JobMemory(
                        List.of(),
                        0,
                        Integer.MAX_VALUE,
                        0,
                        Jobs.NOW,
                        workers,
                        waited,
                        JobMemory.Contention.NONE,
                        JobMemory.Pauses.since(Jobs.NOW)),
                Double.NaN,
                Double.NaN,
                Progress.UNKNOWN);
    }

    private static Snapshot of(int slots, JobView... jobs) {
        return new Snapshot(Jobs.NOW, slots, 0, List.of(jobs));
    }

    @Test
    void withoutALimitOnlyWhoCannotChangeHasTo() {
        JobView held = Jobs.view(Jobs.spec("held", 0, 3, 3, 3), 3);
        assertThat(MustRun.of(of(8, held, job("a", 1, 2, 0), job("b", 1, 0, 9e9)), NO_LIMIT))
                .containsExactly("held");
    }

    @Test
    void whoCannotBePausedKeepsItsMinimum() {
        JobSpec spec = Jobs.spec("kept", 0, 1, 2, 4);
        JobSpec kept =
                new JobSpec(
                        spec.id(),
                        spec.submitted(),
                        new JobBounds(1, 4, 2, 16, 1 << 20, 0.1),
                        spec.batches(),
                        false);
        assertThat(MustRun.of(of(8, Jobs.view(kept, 2), job("a", 1, 2, 0)), NO_LIMIT))
                .containsExactly("kept");
        assertThat(MustRun.of(of(8, Jobs.view(kept, 0)), NO_LIMIT)).isEmpty();
    }

    @Test
    void atTheLimitAJobGoesOn() {
        assertThat(MustRun.of(of(8, job("a", 1, 0, 599), job("b", 1, 0, 600)), 600))
                .containsExactly("b");
    }

    @Test
    void andRunsAsLongAsItWaited() {
        assertThat(MustRun.of(of(8, job("a", 1, 2, 30), job("b", 1, 2, 0)), 600))
                .containsExactly("a");
    }

    @Test
    void aLimitOfZeroSuspendsNobody() {
        assertThat(MustRun.of(of(8, job("a", 1, 2, 0), job("b", 1, 0, 0)), 0))
                .containsExactly("a", "b");
    }

    @Test
    void whoWaitedLongestIsFirstAndIsNotPassed() {
        Snapshot snapshot = of(6, job("a", 1, 0, 700), job("b", 5, 0, 900), job("c", 4, 3, 10));
        assertThat(MustRun.of(snapshot, 600)).containsExactly("c");
    }
}
