package dev.levee.k8s.allocator.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.k8s.allocator.BatchRange;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobMemory;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Jobs;
import dev.levee.k8s.allocator.Measurement;
import dev.levee.k8s.allocator.Progress;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

class GoodputTest {
    /** One worker takes 0.4 s and 0.025 s a sample, at the reference batch of 16. */
    private static JobView job(double noise, int mostLocal, boolean accumulates, long mostGlobal) {
        Measurement measured = new Measurement(Jobs.NOW, 1, 16, 20, 1, Double.NaN);
        JobSpec spec =
                new JobSpec(
                        "a",
                        Instant.EPOCH,
                        new JobBounds(1, 64, 1, 16, mostGlobal, 0.1),
                        new BatchRange(16, 4, mostLocal, accumulates),
                        true);
        return new JobView(
                spec,
                1,
                Integer.MAX_VALUE,
                16,
                new JobMemory(List.of(measured), 0, Integer.MAX_VALUE, 0, Jobs.NOW, 1),
                Double.NaN,
                Double.NaN,
                new Progress(100, Double.NaN, noise));
    }

    @Test
    void aLargerBatchIsWorthItsGain() {
        // φ = 48: 64 samples count as (3 + 1) / (3/4 + 1) rounds of 16, without limit as 4.
        assertThat(new Progress(0, 0, 48).gain(64, 16)).isCloseTo(4 / 1.75, within(1e-12));
        assertThat(new Progress(0, 0, Double.POSITIVE_INFINITY).gain(64, 16))
                .isCloseTo(4, within(1e-9));
        assertThat(new Progress(0, 0, 0).gain(64, 16)).isEqualTo(1);
        assertThat(new Progress(0, 0, -5).gain(64, 16)).isEqualTo(1);
        assertThat(Progress.UNKNOWN.gain(64, 16)).isEqualTo(1);
    }

    @Test
    void independentTasksGainFromEverySlotAndHaveNoBatch() {
        Measurement measured = new Measurement(Jobs.NOW, 1, 1, 2, 1, Double.NaN);
        JobSpec spec =
                new JobSpec(
                        "a",
                        Instant.EPOCH,
                        new JobBounds(1, 8, 2, 1, 8, 1),
                        new BatchRange(1, 1, 1, false),
                        false);
        Goodput goodput =
                new Goodput(
                        new JobView(
                                spec,
                                1,
                                Integer.MAX_VALUE,
                                1,
                                new JobMemory(
                                        List.of(measured), 0, Integer.MAX_VALUE, 0, Jobs.NOW, 1),
                                Double.NaN,
                                Double.NaN,
                                new Progress(100, 200, Double.POSITIVE_INFINITY)),
                        1);
        assertThat(goodput.best(1, 1, 1).rate()).isCloseTo(2, within(1e-9));
        // An exchange that was never measured counts as a tenth of a task.
        Goodput.Choice four = goodput.best(4, 1, 1);
        assertThat(four.rate()).isCloseTo(4 / 0.55, within(1e-6));
        assertThat(four.localBatch()).isEqualTo(1);
    }

    @Test
    void withoutNoiseTheReferenceBatchIsBest() {
        Goodput.Choice choice = new Goodput(job(0, 64, false, 1024), 1).best(1, 1, 1);
        assertThat(choice.localBatch()).isEqualTo(16);
        assertThat(choice.rate()).isCloseTo(1 / 0.8, within(1e-12));
    }

    @Test
    void withNoiseWithoutEndTheLargestIs() {
        // 64 samples are 4 rounds in 0.4 + 64 × 0.025 = 2 s.
        Goodput.Choice choice =
                new Goodput(job(Double.POSITIVE_INFINITY, 64, false, 1024), 1).best(1, 1, 1);
        assertThat(choice.localBatch()).isEqualTo(64);
        assertThat(choice.rate()).isCloseTo(2, within(1e-9));
    }

    @Test
    void inBetweenTheBestBatchIsFoundWithinAPercent() {
        JobView job = job(48, 256, false, 1024);
        Goodput.Choice choice = new Goodput(job, 1).best(1, 1, 1);
        double best = 0;
        for (int batch = 16; batch <= 64; batch++) {
            best = Math.max(best, job.progress().gain(batch, 16) / (0.4 + 0.025 * batch));
        }
        assertThat(choice.rate()).isBetween(0.99 * best, best + 1e-12);
    }

    @Test
    void theBatchIsSharedAmongWorkers() {
        // Four workers take 4 samples each: 0.4 + 0.1 s, and an exchange of a tenth of 0.8 s.
        Goodput.Choice choice = new Goodput(job(0, 64, false, 1024), 1).best(4, 1, 1);
        assertThat(choice.localBatch()).isEqualTo(4);
        assertThat(choice.rate()).isCloseTo(1 / 0.58, within(1e-9));
    }

    @Test
    void fewestSamplesOfAWorkerRaiseTheBatchOfMany() {
        // 16 × 4 = 64 samples, worth one round without noise.
        assertThat(new Goodput(job(0, 64, false, 1024), 1).best(16, 1, 1).localBatch())
                .isEqualTo(4);
    }

    @Test
    void whatDoesNotFitIsAccumulatedInEqualPasses() {
        Goodput.Choice choice =
                new Goodput(job(Double.POSITIVE_INFINITY, 30, true, 60), 1).best(1, 1, 1);
        assertThat(choice.passes()).isEqualTo(2);
        assertThat(choice.localBatch()).isEqualTo(60);
        // 60 / 16 rounds in two passes of 0.4 + 30 × 0.025 s.
        assertThat(choice.rate()).isCloseTo(3.75 / 2.3, within(1e-9));
    }

    @Test
    void anUnmeasuredJobStaysAtItsReferenceBatch() {
        JobView fresh = Jobs.view(Jobs.spec("a", 0, 1, 2, 16), 0);
        Goodput goodput = new Goodput(fresh, 1);
        assertThat(goodput.measured()).isFalse();
        assertThat(goodput.best(1, 1, 1).localBatch()).isEqualTo(32); // 2 × 16 at the start
        assertThat(goodput.best(1, 1, 1).rate()).isEqualTo(1);
        assertThat(goodput.best(2, 1, 1).rate()).isCloseTo(1.741, within(1e-3));
    }

    @Test
    void aBatchIsPredictedToFitTheMemory() {
        // 16 samples take 60 % of it, so 24 take 90 %.
        Measurement measured = new Measurement(Jobs.NOW, 2, 16, 20, 0.1, 0.6);
        JobView job = Jobs.view(Jobs.spec("a", 0, 1, 2, 16), 2, measured);
        JobView noisy =
                new JobView(
                        job.spec(),
                        2,
                        Integer.MAX_VALUE,
                        16,
                        job.memory(),
                        Double.NaN,
                        Double.NaN,
                        new Progress(1, Double.NaN, Double.POSITIVE_INFINITY));
        assertThat(new Goodput(noisy, 1).best(2, 1, 1).localBatch()).isEqualTo(24);
    }
}
