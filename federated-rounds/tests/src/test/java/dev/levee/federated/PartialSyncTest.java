package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.federated.privacy.Privacy;
import dev.levee.federated.steps.LocalState;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.learners.Gradient;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.training.Work;

import org.junit.jupiter.api.Test;

import java.util.Map;

class PartialSyncTest {
    @Test
    void everyRoundHasOneOfEqualPartsAndEveryHthALargerOne() {
        PartialSync sync = new PartialSync(4, 3, 2);
        boolean[] seen = new boolean[4];
        for (long round = 0; round < 60; round++) {
            PartialSync.Range slice = sync.slice(5, round, 102);
            if (round % 3 == 2) {
                assertThat(slice.length()).isEqualTo(51);
            } else {
                assertThat(slice.length()).isBetween(25, 26);
                seen[slice.from() * 4 / 102 + (slice.from() * 4 % 102 == 0 ? 0 : 1)] = true;
            }
        }
        assertThat(seen).containsOnly(true);
        // (1/2 + 2·1/4)/3
        assertThat(sync.share()).isCloseTo(1 / 3.0, within(1e-12));
    }

    /**
     * x = (8, 8), gradient w, a step of one half: w = (4, 4). One coordinate is sent, the other
     * change is kept: if x becomes (6, 8), the device continues at 6 and 4, whichever was sent.
     */
    @Test
    void whatIsNotSentStaysWithTheDevice() {
        PartialSync sync = new PartialSync(2, 100, 2);
        LocalTraining local =
                new LocalTraining(
                        new LocalSteps.Steps(1),
                        false,
                        Optimizer.of(OptimizerKind.SGD, 0),
                        LearningRate.parse("constant", 0.5, 10),
                        0,
                        LocalState.KEEP);
        LocalWork work =
                new LocalWork(
                        local,
                        new int[] {1},
                        new double[] {1},
                        Privacy.NONE,
                        5,
                        new Upload.Slice(sync, 5),
                        false);
        int sent = sync.slice(5, 0, 2).from();
        Work.Result first = work(work, 0, new float[] {8, 8}, Map.of());
        assertThat(first.values()[sent]).isEqualTo(4);
        assertThat(first.values()[1 - sent]).isZero();

        float[] next = {8, 8};
        next[sent] = 6;
        Work.Result second = work(work, 1, next, first.vectors());
        // It was at 6 and 4, and is at 3 and 2: x − w is 3 where it was sent, 6 where it was not.
        int later = sync.slice(5, 1, 2).from();
        float[] change = new float[2];
        change[sent] = 3;
        change[1 - sent] = 6;
        assertThat(second.values()[later]).isEqualTo(change[later]);
        assertThat(second.values()[1 - later]).isZero();
        assertThat(second.vectors().get("error")[1 - later]).isEqualTo(change[1 - later]);
        assertThat(second.vectors().get("error")[later]).isZero();
    }

    private static Work.Result work(
            LocalWork work, long round, float[] x, Map<String, float[]> kept) {
        Settings settings = new Settings(Cohort.of(0), 0, 1, 4, 1, false, false, 0);
        Work.Task task = new Work.Task(0, 0, round, settings, x, 0, kept, 0);
        return work.work(task, kept, 2, (w, step) -> new Gradient(w.clone(), 0));
    }
}
