package dev.levee.operators.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.learners.Gradient;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Two blocks of two coordinates, the last one a buffer. */
class WorkersTest {
    private static final long RUN = 4;
    private static final Slices SLICES = new Slices(4, 3, 2);

    private final List<Workers.Task> tasks = new ArrayList<>();
    private final List<GradientBlock> sent = new ArrayList<>();
    private Training training = Runs.of(3, 1).training();

    private Workers workers(int... ids) {
        TreeMap<Integer, WorkerState> states = new TreeMap<>();
        for (int id : ids) {
            states.put(id, WorkerState.FRESH);
        }
        return restored(states);
    }

    private Workers restored(TreeMap<Integer, WorkerState> states) {
        return new Workers(
                training,
                RUN,
                SLICES,
                states,
                new Workers.Output() {
                    @Override
                    public void compute(Workers.Task task) {
                        tasks.add(task);
                    }

                    @Override
                    public void send(GradientBlock block) {
                        sent.add(block);
                    }
                },
                () -> 5);
    }

    private void publish(Workers workers, long version) {
        for (int block = 0; block < 2; block++) {
            workers.model(
                    new ModelBlock(
                            Header.model(RUN, version, block),
                            Settings.of(training, version),
                            new float[] {version, block}));
        }
    }

    private static Gradient gradient(float... values) {
        return new Gradient(values, 2.5);
    }

    @Test
    void answersAWholeModelWithAllBlocksAtOnce() {
        Workers workers = workers(0, 2);
        publish(workers, 0);
        assertThat(tasks).extracting(Workers.Task::worker).containsExactly(0, 2);
        assertThat(tasks.get(0).parameters()).containsExactly(0, 0, 0, 1);
        assertThat(tasks.get(0).consumed()).isZero();

        workers.computed(tasks.get(1), gradient(1, 2, 3, 4));

        assertThat(sent).extracting(g -> g.header().block()).containsExactly(0, 1);
        assertThat(sent).extracting(g -> g.header().sender()).containsExactly(2, 2);
        assertThat(sent.get(0).values()).containsExactly(1, 2);
        assertThat(sent.get(1).values()).containsExactly(3, 4);
        assertThat(sent.get(1).loss()).isEqualTo(2.5);
        assertThat(workers.snapshot().get(2).answered()).isZero();
        assertThat(workers.snapshot().get(2).consumed()).isEqualTo(4);
        assertThat(workers.snapshot().get(0)).isEqualTo(WorkerState.FRESH);
    }

    @Test
    void skipsToTheNewestModel() {
        Workers workers = workers(0);
        publish(workers, 0);
        publish(workers, 1);
        publish(workers, 2);
        assertThat(tasks).hasSize(1);

        workers.computed(tasks.get(0), gradient(1, 1, 1, 1));

        assertThat(tasks).extracting(Workers.Task::round).containsExactly(0L, 2L);
        assertThat(tasks.get(1).consumed()).isEqualTo(4);
        assertThat(tasks.get(1).parameters()).containsExactly(2, 0, 2, 1);
    }

    @Test
    void answersAModelOnceEvenAcrossARestore() {
        Workers workers = workers(0);
        publish(workers, 0);
        workers.computed(tasks.get(0), gradient(1, 1, 1, 1));
        publish(workers, 0);
        assertThat(tasks).hasSize(1);

        Workers restored = restored(workers.snapshot());
        publish(restored, 0);
        assertThat(tasks).hasSize(1);
        publish(restored, 1);
        assertThat(tasks).hasSize(2);
    }

    @Test
    void computesAgainWhatACrashInterrupted() {
        Workers workers = workers(0);
        publish(workers, 0);
        publish(restored(workers.snapshot()), 0);
        assertThat(tasks).extracting(Workers.Task::round).containsExactly(0L, 0L);
        assertThat(tasks.get(1).consumed()).isZero();
    }

    @Test
    void ignoresModelsOfOtherRunsAndTheFinalOne() {
        training = Runs.of(3, 1).rounds(1).training();
        Workers workers = workers(0);
        workers.model(
                new ModelBlock(
                        Header.model(RUN + 1, 0, 0), Settings.of(training, 0), new float[2]));
        workers.model(
                new ModelBlock(
                        Header.model(RUN + 1, 0, 1), Settings.of(training, 0), new float[2]));
        publish(workers, 1);
        assertThat(tasks).isEmpty();
    }

    @Test
    void keepsMomentumOfTheTrainableCoordinates() {
        training = Runs.of(3, 1).momentum(0.5, Training.MomentumSide.WORKER).training();
        Workers workers = workers(0);
        publish(workers, 0);
        workers.computed(tasks.get(0), gradient(4, 8, 16, 1));
        publish(workers, 1);
        workers.computed(tasks.get(1), gradient(2, 2, 2, 7));

        assertThat(sent.get(0).values()).containsExactly(4, 8);
        assertThat(sent.get(1).values()).containsExactly(16, 1);
        assertThat(sent.get(2).values()).containsExactly(3, 5);
        assertThat(sent.get(3).values()).containsExactly(9, 7);
    }

    @Test
    void attackersThatForgeAnswerAtOnceAndSilentOnesNever() {
        training = Runs.of(3, 1).attack(1, "little-is-enough(z=1)").training();
        publish(workers(1, 2), 0);
        assertThat(tasks).extracting(Workers.Task::worker).containsExactly(1);
        assertThat(sent).hasSize(2).allMatch(g -> g.values().length == 0);

        tasks.clear();
        sent.clear();
        training = Runs.of(3, 1).attack(1, "silent").training();
        publish(workers(1, 2), 0);
        assertThat(tasks).extracting(Workers.Task::worker).containsExactly(1);
        assertThat(sent).isEmpty();

        tasks.clear();
        training = Runs.of(3, 1).attack(1, "reversed").training();
        publish(workers(1, 2), 0);
        assertThat(tasks).extracting(Workers.Task::worker).containsExactly(1, 2);
    }

    @Test
    void refusesAResultNobodyAskedFor() {
        Workers workers = workers(0);
        publish(workers, 0);
        workers.computed(tasks.get(0), gradient(1, 1, 1, 1));
        assertThatThrownBy(() -> workers.computed(tasks.get(0), gradient(1, 1, 1, 1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nobody asked for");
    }

    @Test
    void workersOfAnElasticRunShareOneOrderOfSamples() {
        training = Runs.of(2, 0).elastic(1, 3, 100, 0).training();
        Workers workers = workers(0, 1, 2);
        publish(workers, 5);
        // Five rounds of two workers with four samples each come before.
        assertThat(tasks).extracting(Workers.Task::worker).containsExactly(0, 1);
        assertThat(tasks).extracting(Workers.Task::consumed).containsExactly(40L, 44L);
    }

    @Test
    void aWorkerThatIsNotNeededForgetsItsMomentum() {
        training =
                Runs.of(2, 0)
                        .elastic(1, 3, 100, 0)
                        .momentum(0.9, Training.MomentumSide.WORKER)
                        .training();
        WorkerState old = new WorkerState(3, 16, new float[] {1, 1, 1, 1});
        Workers workers = restored(new TreeMap<>(Map.of(1, old, 2, old)));
        publish(workers, 5);
        assertThat(workers.snapshot().get(2)).isEqualTo(new WorkerState(5, 16, null));
        assertThat(workers.snapshot().get(1)).isEqualTo(old);
    }
}
