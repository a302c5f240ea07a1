package dev.levee.operators.rounds.participant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.learners.Gradient;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Permission;
import dev.levee.operators.rounds.Pulls;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.topology.ReadingGroup;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.Runs;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Two blocks of two coordinates, the last one a buffer. */
class WorkersTest {
    private static final long RUN = 4;
    private static final Slices SLICES = new Slices(4, 3, 2);

    private final List<Work.Task> tasks = new ArrayList<>();
    private final List<GradientBlock> sent = new ArrayList<>();
    private final List<Announcement> announced = new ArrayList<>();
    private Training training = Runs.of(3, 1).training();

    private Workers workers(int... ids) {
        TreeMap<Integer, WorkerState> states = new TreeMap<>();
        for (int id : ids) {
            states.put(id, WorkerState.FRESH);
        }
        return restored(states);
    }

    /** Keeps states in a map, and counts how often it is asked. */
    private static final class Kept implements ParticipantStates {
        private final TreeMap<Integer, WorkerState> states;
        private int calls;

        private Kept(Map<Integer, WorkerState> states) {
            this.states = new TreeMap<>(states);
        }

        @Override
        public boolean has(int participant) {
            calls++;
            return states.containsKey(participant);
        }

        @Override
        public WorkerState get(int participant) {
            calls++;
            return states.get(participant);
        }

        @Override
        public void put(int participant, WorkerState state) {
            calls++;
            states.put(participant, state);
        }
    }

    private Kept kept = new Kept(Map.of());

    /** The states as a checkpoint has them. */
    private TreeMap<Integer, WorkerState> snapshot(Workers workers) {
        workers.store();
        return new TreeMap<>(kept.states);
    }

    private Workers restored(TreeMap<Integer, WorkerState> states) {
        kept = new Kept(states);
        return new Workers(
                training,
                RUN,
                SLICES,
                ReadingGroup.of(0),
                kept,
                new ParticipantOutput() {
                    @Override
                    public void compute(Work.Task task) {
                        tasks.add(task);
                    }

                    @Override
                    public void send(GradientBlock block) {
                        sent.add(block);
                    }

                    @Override
                    public void announce(Announcement announcement) {
                        announced.add(announcement);
                    }
                },
                () -> 5);
    }

    private void publish(Workers workers, long version) {
        for (int block = 0; block < 2; block++) {
            workers.model(
                    new ModelBlock(
                            Header.model(RUN, version, new ShardId(0, block)),
                            Plan.FIXED.at(training, version),
                            new float[] {version, block}));
        }
    }

    private void publish(Workers workers, long version, Cohort cohort) {
        for (int block = 0; block < 2; block++) {
            workers.model(
                    new ModelBlock(
                            Header.model(RUN, version, new ShardId(0, block)),
                            training.settings(version, cohort),
                            new float[] {version, block}));
        }
    }

    /** The task of that number is done, and this was its gradient. */
    private void computed(Workers workers, int number, float... gradient) {
        computed(workers, number, new Gradient(gradient, 2.5));
    }

    private void computed(Workers workers, int number, Gradient gradient) {
        Work.Task task = tasks.get(number);
        workers.computed(
                task,
                training.work()
                        .work(
                                task,
                                task.kept(),
                                SLICES.trainable(),
                                (parameters, step) -> gradient));
    }

    private void pulled(Workers workers, long version, int[] devices, long... due) {
        Settings plain = training.settings(version, Cohort.of(0));
        Settings settings =
                new Settings(
                        plain.cohort(),
                        plain.f(),
                        1,
                        plain.batchSize(),
                        1,
                        false,
                        false,
                        0,
                        null,
                        new Pulls(devices, due, new long[] {version}));
        for (int block = 0; block < 2; block++) {
            workers.model(
                    new ModelBlock(
                            Header.model(RUN, version, new ShardId(0, block)),
                            settings,
                            new float[] {version, block}));
        }
    }

    @Test
    void whoIsAtWorkGoesOnWithWhatItHasPulledMeanwhile() {
        Workers workers = workers(0, 2);
        pulled(workers, 0, new int[] {0, 2}, 3, 4);
        pulled(workers, 1, new int[] {2}, 5);
        pulled(workers, 2, new int[] {2}, 6);
        pulled(workers, 3, new int[] {0}, 3);
        assertThat(tasks).extracting(Work.Task::round).containsExactly(0L, 0L);
        computed(workers, 1, 1, 2, 3, 4);
        computed(workers, 2, 1, 2, 3, 4);
        computed(workers, 0, 1, 2, 3, 4);
        assertThat(tasks).extracting(Work.Task::worker).containsExactly(0, 2, 2, 2, 0);
        assertThat(tasks).extracting(Work.Task::round).containsExactly(0L, 0L, 1L, 2L, 3L);
        computed(workers, 3, 1, 2, 3, 4);
        assertThat(tasks).hasSize(5);
        assertThat(sent.stream().filter(each -> each.header().sender() == 2))
                .extracting(each -> each.header().round())
                .containsExactly(4L, 4L, 5L, 5L, 6L, 6L);
    }

    @Test
    void sendsWhatItHasAnnouncedWhenItIsAsked() {
        training = Runs.of(3, 0).quorum(1).most(1).staleness(2).ordered().training();
        Workers workers = workers(0, 2);
        publish(workers, 0);
        computed(workers, 1, 0, 3, 0, 4);
        assertThat(announced).containsExactly(new Announcement(0, 2, 0, 5));
        assertThat(sent).isEmpty();
        assertThat(snapshot(workers).get(2)).isEqualTo(WorkerState.FRESH);

        // Neither a newer model nor a permission for something else starts anything.
        publish(workers, 1);
        workers.permitted(new Permission(0, 2, 1, true));
        workers.permitted(new Permission(0, 0, 0, true));
        assertThat(sent).isEmpty();
        assertThat(tasks).hasSize(2);

        workers.permitted(new Permission(0, 2, 0, true));
        assertThat(sent).extracting(g -> g.header().baseVersion()).containsExactly(0L, 0L);
        assertThat(snapshot(workers).get(2).answered()).isZero();
        assertThat(tasks.get(2).round()).isEqualTo(1);
    }

    @Test
    void goesOnWithANewerModelWhenItIsToldToForget() {
        training = Runs.of(3, 0).quorum(1).most(1).staleness(2).ordered().training();
        Workers workers = workers(2);
        publish(workers, 0);
        computed(workers, 0, 0, 3, 0, 4);
        workers.permitted(new Permission(0, 2, 0, false));
        assertThat(tasks).hasSize(1);
        publish(workers, 3);
        assertThat(tasks.get(1).round()).isEqualTo(3);
        assertThat(tasks.get(1).consumed()).isEqualTo(4);
        assertThat(sent).isEmpty();
    }

    @Test
    void answersAWholeModelWithAllBlocksAtOnce() {
        Workers workers = workers(0, 2);
        publish(workers, 0);
        assertThat(tasks).extracting(Work.Task::worker).containsExactly(0, 2);
        assertThat(tasks.get(0).parameters()).containsExactly(0, 0, 0, 1);
        assertThat(tasks.get(0).consumed()).isZero();

        computed(workers, 1, 1, 2, 3, 4);

        assertThat(sent).extracting(g -> g.header().block()).containsExactly(0, 1);
        assertThat(sent).extracting(g -> g.header().sender()).containsExactly(2, 2);
        assertThat(sent.get(0).values()).containsExactly(1, 2);
        assertThat(sent.get(1).values()).containsExactly(3, 4);
        assertThat(sent.get(1).loss()).isEqualTo(2.5);
        assertThat(snapshot(workers).get(2).answered()).isZero();
        assertThat(snapshot(workers).get(2).consumed()).isEqualTo(4);
        assertThat(snapshot(workers).get(0)).isEqualTo(WorkerState.FRESH);
    }

    @Test
    void skipsToTheNewestModel() {
        Workers workers = workers(0);
        publish(workers, 0);
        publish(workers, 1);
        publish(workers, 2);
        assertThat(tasks).hasSize(1);

        computed(workers, 0, 1, 1, 1, 1);

        assertThat(tasks).extracting(Work.Task::round).containsExactly(0L, 2L);
        assertThat(tasks.get(1).consumed()).isEqualTo(4);
        assertThat(tasks.get(1).parameters()).containsExactly(2, 0, 2, 1);
    }

    @Test
    void answersAModelOnceEvenAcrossARestore() {
        Workers workers = workers(0);
        publish(workers, 0);
        computed(workers, 0, 1, 1, 1, 1);
        publish(workers, 0);
        assertThat(tasks).hasSize(1);

        Workers restored = restored(snapshot(workers));
        publish(restored, 0);
        assertThat(tasks).hasSize(1);
        publish(restored, 1);
        assertThat(tasks).hasSize(2);
    }

    @Test
    void computesAgainWhatACrashInterrupted() {
        Workers workers = workers(0);
        publish(workers, 0);
        publish(restored(snapshot(workers)), 0);
        assertThat(tasks).extracting(Work.Task::round).containsExactly(0L, 0L);
        assertThat(tasks.get(1).consumed()).isZero();
    }

    @Test
    void ignoresModelsOfOtherRunsAndTheFinalOne() {
        training = Runs.of(3, 1).rounds(1).training();
        Workers workers = workers(0);
        workers.model(
                new ModelBlock(
                        Header.model(RUN + 1, 0, new ShardId(0, 0)),
                        Plan.FIXED.at(training, 0),
                        new float[2]));
        workers.model(
                new ModelBlock(
                        Header.model(RUN + 1, 0, new ShardId(0, 1)),
                        Plan.FIXED.at(training, 0),
                        new float[2]));
        publish(workers, 1);
        assertThat(tasks).isEmpty();
    }

    @Test
    void keepsMomentumOfTheTrainableCoordinates() {
        training = Runs.of(3, 1).workerMomentum(0.5).training();
        Workers workers = workers(0);
        publish(workers, 0);
        computed(workers, 0, 4, 8, 16, 1);
        publish(workers, 1);
        computed(workers, 1, 2, 2, 2, 7);

        assertThat(sent.get(0).values()).containsExactly(4, 8);
        assertThat(sent.get(1).values()).containsExactly(16, 1);
        assertThat(sent.get(2).values()).containsExactly(3, 5);
        assertThat(sent.get(3).values()).containsExactly(9, 7);
    }

    @Test
    void momentumIsUsedAgainAfterTheNextContributionUnlessACheckpointHasIt() {
        training = Runs.of(3, 0).workerMomentum(0.5).training();
        Workers workers = workers(0);
        List<float[]> unread = new ArrayList<>();
        for (int round = 0; round < 4; round++) {
            publish(workers, round);
            float[] gradient = {8, 8, 8, round};
            computed(workers, round, new Gradient(gradient, 2.5, () -> unread.add(gradient)));
            assertThat(unread).hasSize(round < 2 ? round : round - 1);
            sent.subList(2 * round, 2 * round + 2).forEach(block -> block.lease().done());
            if (round == 1) {
                assertThat(snapshot(workers).get(0).vectors().values())
                        .containsExactly(new float[] {8, 8, 8, 1});
            }
        }
        assertThat(unread).extracting(each -> each[3]).containsExactly(0F, 2F);
    }

    @Test
    void attackersThatForgeAnswerAtOnceAndSilentOnesNever() {
        training = Runs.of(3, 1).attack(1, "little-is-enough(z=1)").training();
        publish(workers(1, 2), 0);
        assertThat(tasks).extracting(Work.Task::worker).containsExactly(1);
        assertThat(sent).hasSize(2).allMatch(g -> g.values().length == 0);

        tasks.clear();
        sent.clear();
        training = Runs.of(3, 1).attack(1, "silent").timeoutMillis(30).training();
        publish(workers(1, 2), 0);
        assertThat(tasks).extracting(Work.Task::worker).containsExactly(1);
        assertThat(sent).isEmpty();

        tasks.clear();
        training = Runs.of(3, 1).attack(1, "reversed").training();
        publish(workers(1, 2), 0);
        assertThat(tasks).extracting(Work.Task::worker).containsExactly(1, 2);
    }

    @Test
    void refusesAResultNobodyAskedFor() {
        Workers workers = workers(0);
        publish(workers, 0);
        computed(workers, 0, 1, 1, 1, 1);
        assertThatThrownBy(() -> computed(workers, 0, 1, 1, 1, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("unexpected result of");
    }

    @Test
    void workersOfAnElasticRunShareOneOrderOfSamples() {
        training = Runs.of(2, 0).elastic(1, 3, 100, 0).training();
        Workers workers = workers(0, 1, 2);
        publish(workers, 5);
        // Five rounds of two workers with four samples each come before.
        assertThat(tasks).extracting(Work.Task::worker).containsExactly(0, 1);
        assertThat(tasks).extracting(Work.Task::consumed).containsExactly(40L, 44L);
    }

    @Test
    void aWorkerThatIsNotNeededForgetsItsMomentum() {
        training = Runs.of(2, 0).elastic(1, 3, 100, 0).workerMomentum(0.9).training();
        WorkerState old = new WorkerState(4, 16, Map.of("momentum", new float[] {1, 1, 1, 1}));
        Workers workers = restored(new TreeMap<>(Map.of(1, old, 2, old)));
        publish(workers, 5);
        assertThat(tasks).extracting(Work.Task::worker).containsExactly(1);
        assertThat(tasks.get(0).kept()).isEqualTo(old.vectors());
        assertThat(snapshot(workers).get(1)).isEqualTo(old);
        computed(workers, 0, 1, 1, 1, 1);

        publish(workers, 6, Cohort.first(3));
        assertThat(tasks).extracting(Work.Task::worker).containsExactly(1, 1, 2);
        assertThat(tasks.get(1).kept()).containsOnlyKeys("momentum");
        assertThat(tasks.get(2).kept()).isEmpty();
        computed(workers, 2, 4, 8, 16, 1);
        // Its first gradient again, not a tenth of it and what is left of the old momentum.
        assertThat(sent.get(2).values()).containsExactly(4, 8);
        assertThat(snapshot(workers).get(2).consumed()).isEqualTo(20);
    }

    @Test
    void momentumIsForgottenAsSoonAsItsWorkerLeavesAnElasticRun() {
        training = Runs.of(3, 0).elastic(1, 3, 100, 0).workerMomentum(0.9).training();
        Workers workers = workers(0, 1, 2);
        publish(workers, 0);
        computed(workers, 2, 1, 1, 1, 1);
        assertThat(workers.state(2).vectors()).containsOnlyKeys("momentum");

        publish(workers, 1, Cohort.first(1));
        assertThat(kept.states.get(2).vectors()).isEmpty();
        assertThat(kept.states.get(2).answered()).isZero();
        assertThat(kept.states.get(2).consumed()).isEqualTo(4);
        // One that is still computing when it is told to leave forgets, too.
        computed(workers, 1, 1, 1, 1, 1);
        assertThat(kept.states.get(1)).isEqualTo(new WorkerState(0, 4, Map.of()));
    }

    @Test
    void participantsAtRestAreNotTouched() {
        training = Runs.of(10_000, 0).sampled(20).training();
        Workers workers = workers(IntStream.range(0, 10_000).toArray());
        int[] cohort = IntStream.range(0, 20).map(place -> 7 + 499 * place).toArray();
        publish(workers, 0, Cohort.of(cohort));

        assertThat(tasks).extracting(Work.Task::worker).containsExactly(boxed(cohort));
        // One shows that somebody lives here; then each member is looked for and read, nobody else.
        assertThat(kept.calls).isEqualTo(1 + 40);
        for (int number = 0; number < 20; number++) {
            computed(workers, number, 1, 1, 1, 1);
        }
        assertThat(kept.calls).isLessThanOrEqualTo(1 + 60);
        workers.store();
        assertThat(kept.calls).isLessThanOrEqualTo(1 + 80);
        assertThat(kept.states.get(7).answered()).isZero();
        assertThat(kept.states.get(8)).isEqualTo(WorkerState.FRESH);
    }

    private static Integer[] boxed(int[] ids) {
        return IntStream.of(ids).boxed().toArray(Integer[]::new);
    }

    @Test
    void aParticipantThatLeavesTheCohortHandsItsStateBack() {
        training = Runs.of(4, 0).sampled(2).workerMomentum(0.5).training();
        Workers workers = workers(0, 1, 2, 3);
        publish(workers, 0, Cohort.of(1, 3));
        computed(workers, 0, 4, 8, 16, 1);
        assertThat(kept.states.get(1)).isEqualTo(WorkerState.FRESH);
        publish(workers, 1, Cohort.of(0, 2));

        WorkerState handed = kept.states.get(1);
        assertThat(handed.answered()).isZero();
        assertThat(handed.consumed()).isEqualTo(4);
        assertThat(handed.vectors().get("momentum")).containsExactly(4, 8, 16, 1);

        // Worker 3 comes too late for its round, and its state is kept all the same.
        computed(workers, 1, 2, 2, 2, 2);
        assertThat(kept.states.get(3).answered()).isZero();
        assertThat(sent).extracting(g -> g.header().sender()).containsExactly(1, 1, 3, 3);

        // It continues where it was when it takes part again, rounds later.
        publish(workers, 7, Cohort.of(1, 2));
        Work.Task again = tasks.get(tasks.size() - 1);
        assertThat(again.worker()).isEqualTo(1);
        assertThat(again.consumed()).isEqualTo(4);
        computed(workers, tasks.size() - 1, 2, 2, 2, 7);
        assertThat(sent.get(4).values()).containsExactly(3, 5);
        assertThat(sent.get(5).values()).containsExactly(9, 7);
    }

    @Test
    void placesNotIdsShareTheOrderOfSamples() {
        training = Runs.of(2, 0).elastic(1, 3, 100, 0).training();
        publish(workers(0, 1, 2), 5, Cohort.of(0, 2));
        assertThat(tasks).extracting(Work.Task::worker).containsExactly(0, 2);
        assertThat(tasks).extracting(Work.Task::consumed).containsExactly(40L, 44L);
    }

    @Test
    void aParticipantThatIsAskedForAgainWhileItComputesGoesOnToTheNewestModel() {
        training = Runs.of(4, 0).sampled(2).training();
        Workers workers = workers(1);
        publish(workers, 0, Cohort.of(1, 3));
        publish(workers, 1, Cohort.of(0, 2));
        publish(workers, 2, Cohort.of(1, 2));
        assertThat(tasks).hasSize(1);
        computed(workers, 0, 1, 1, 1, 1);
        assertThat(tasks).extracting(Work.Task::round).containsExactly(0L, 2L);
        assertThat(tasks.get(1).consumed()).isEqualTo(4);
    }

    @Test
    void aContributionOfAWeightCarriesItInEveryBlock() {
        Workers workers = workers(0);
        publish(workers, 0);
        workers.computed(tasks.get(0), new Work.Result(new float[] {1, 2, 3, 4}, 2.5, 1, Map.of()));
        assertThat(sent).extracting(GradientBlock::weight).containsExactly(2.5, 2.5);
    }
}
