package dev.levee.k8s.allocator.internal;

import static dev.levee.k8s.allocator.Jobs.measured;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Jobs;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.Arrays;

class SizesTest {
    private static int[] tried(Sizes sizes) {
        return Arrays.copyOf(sizes.workers(), sizes.tried());
    }

    @Test
    void aJobThatWasNeverMeasuredStartsWithItsMinimum() {
        Sizes sizes = Sizes.of(Jobs.view(Jobs.spec("a", 0, 1, 2, 64), 0), 4, 64);
        assertThat(tried(sizes)).containsExactly(1);
        assertThat(sizes.workers()).containsExactly(1, 2, 4);
    }

    @Test
    void growsFourfoldInWholeNodes() {
        JobView job = Jobs.view(Jobs.spec("a", 0, 1, 1, 64), 2, measured(2, 20));
        Sizes sizes = Sizes.of(job, 4, 64);
        assertThat(tried(sizes)).containsExactly(1, 2, 4, 8);
        assertThat(sizes.workers()).containsExactly(1, 2, 4, 8, 12, 16, 20, 24, 28, 32);
    }

    @Test
    void keepsItsOwnSizeMinimumAndMaximumThoughTheyAreNoWholeNodes() {
        JobView job = Jobs.view(Jobs.spec("a", 0, 3, 3, 10), 5, measured(5, 20));
        assertThat(tried(Sizes.of(job, 4, 64))).containsExactly(3, 4, 5, 8, 10);
    }

    @Test
    void aJobThatCanNeverRunHasItsMinimumOnly() {
        int huge = Integer.MAX_VALUE;
        JobBounds bounds = new JobBounds(huge, huge, huge, 1, huge, 0.1);
        JobView job = Jobs.view(new JobSpec("a", Instant.EPOCH, bounds), 0, 1);
        assertThat(Sizes.of(job, 0, 64).workers()).containsExactly(huge);
        assertThat(Sizes.of(job, 4, 64).workers()).containsExactly(huge);
    }

    @Test
    void whereNodesAreUnknownSmallSizesAreFine() {
        JobView job = Jobs.view(Jobs.spec("a", 0, 1, 1, 16), 4, measured(4, 20));
        assertThat(tried(Sizes.of(job, 0, 14))).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 12, 14);
    }
}
