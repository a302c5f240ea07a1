package dev.levee.operators.rounds.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.learners.Gradient;
import dev.levee.learners.LocalRound;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;

import org.junit.jupiter.api.Test;

import java.util.Map;

class OwnLoopWorkTest {
    /** A loop that takes as much away as it has steps, and keeps one byte more each time. */
    private record Loop(byte[] kept) implements Work.Gradients {
        @Override
        public Gradient at(float[] parameters, int step) {
            throw new AssertionError("a loop of its own takes no steps of ours");
        }

        @Override
        public LocalRound.Result trained(float[] parameters, double rate, int steps) {
            return new LocalRound.Result(
                    new float[] {parameters[0] - steps, 7}, rate, new byte[kept.length + 1]);
        }
    }

    private static Work.Result work(
            double momentum, Map<String, float[]> kept, byte[] own, float[] start) {
        return work(0.5, momentum, kept, own, start);
    }

    private static Work.Result work(
            double rate, double momentum, Map<String, float[]> kept, byte[] own, float[] start) {
        Settings settings = new Settings(Cohort.of(0), 0, 1, 4, rate, false, false, 0);
        Work.Task task = new Work.Task(0, 0, 3, settings, start, 0, 2, kept, own, 0);
        return new OwnLoopWork(3, new GradientWork(momentum)).work(task, kept, 1, new Loop(own));
    }

    /** A step of 0.5 along 6 takes away the 3 that the loop took. */
    @Test
    void aPlainStepOfTheServerGoesWhereTheLoopWent() {
        Work.Result result = work(0, Map.of(), Work.NOTHING, new float[] {10, 1});
        assertThat(result.values()).containsExactly(6, 7);
        assertThat(result.loss()).isEqualTo(0.5);
        assertThat(result.own()).hasSize(1);
        assertThat(work(0, Map.of(), result.own(), new float[] {10, 1}).own()).hasSize(2);
    }

    /** Schedules round to 0 at last; no step of the server goes anywhere then. */
    @Test
    void atAStepSizeOfZeroZerosAreSent() {
        Work.Result result = work(0, 0, Map.of(), Work.NOTHING, new float[] {10, 1});
        assertThat(result.values()).containsExactly(0, 7);
    }

    @Test
    void whatTheLoopTookIsSmoothedAsGradientsAre() {
        Map<String, float[]> kept = Map.of("momentum", new float[] {2, 0});
        Work.Result result = work(0.5, kept, Work.NOTHING, new float[] {10, 1});
        assertThat(result.values()).containsExactly(4, 7);
        assertThat(result.vectors().get("momentum")[0]).isEqualTo(4);
    }
}
