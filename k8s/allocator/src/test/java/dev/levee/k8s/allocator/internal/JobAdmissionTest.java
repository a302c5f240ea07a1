package dev.levee.k8s.allocator.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Jobs;
import dev.levee.k8s.allocator.Snapshot;

import org.junit.jupiter.api.Test;

import java.util.List;

class JobAdmissionTest {
    private static final JobView EARLY = Jobs.view(Jobs.spec("early", 1, 4, 4, 8), 4);
    private static final JobView HELD = Jobs.view(Jobs.spec("held", 2, 6, 6, 6), 6);
    private static final JobView FIXED_BUT_WAITING = Jobs.view(Jobs.spec("new", 0, 2, 2, 2), 0);

    @Test
    void whoCannotGiveWayIsNotPassedOver() {
        Snapshot shrunk = new Snapshot(Jobs.NOW, 7, 0, List.of(EARLY, HELD, FIXED_BUT_WAITING));
        assertThat(JobAdmission.of(shrunk, JobView::least)).containsExactly("held");
    }

    @Test
    void amongThoseThatCanGiveWayTheEarliestStay() {
        JobView late = Jobs.view(Jobs.spec("late", 3, 2, 4, 8), 6);
        Snapshot shrunk = new Snapshot(Jobs.NOW, 5, 0, List.of(late, EARLY));
        assertThat(JobAdmission.of(shrunk, JobView::least)).containsExactly("early");
    }
}
