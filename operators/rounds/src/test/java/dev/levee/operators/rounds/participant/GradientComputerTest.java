package dev.levee.operators.rounds.participant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Rules;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.learners.ParticipantException;
import dev.levee.learners.WrappedLearner;
import dev.levee.learners.WrappedModel;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientCost;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.plan.Elasticity;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.training.Work;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

class GradientComputerTest {
    private static final String DATA = "strokes:?train=600&test=200&seed=1";
    private static final String NAME = "a test of readers";

    private record Computed(Work.Result result, GradientCost effort) {}

    /** Logistic regression that has memory for so many samples. */
    private record Hungry(Model model, int most) implements WrappedModel {
        @Override
        public Learner newLearner() {
            return new WrappedLearner(model.newLearner()) {
                @Override
                public Gradient gradient(float[] parameters, Batch batch, long seed) {
                    if (most < 0) {
                        throw new ParticipantException("raised ValueError: no", null);
                    }
                    if (batch.size() > most) {
                        throw new OutOfMemoryError("no room for " + batch.size());
                    }
                    return super.gradient(parameters, batch, seed);
                }
            };
        }
    }

    private static final Plan ELASTIC = new Elasticity(1, 2, 1000, 0, 0.1, null);

    private static Computed compute(int most, int batch) throws Exception {
        return compute(most, batch, 2, ELASTIC);
    }

    private static Training training(int most, Plan plan) {
        Dataset data = Datasets.open(DATA, Datasets.Split.TRAIN);
        Model model = new Hungry(Models.open("logistic", data.shape(), data.classes()), most);
        return new TrainingBuilder("testrun1", DATA, model, Rules.parse("average"), 1, 0)
                .plan(plan)
                .build();
    }

    /** The first gradient of worker 0, in a round of so many. */
    private static Computed compute(int most, int batch, int workers, Plan plan) throws Exception {
        return compute(most, batch, workers, 0, plan);
    }

    private static Computed compute(int most, int batch, int workers, int f, Plan plan)
            throws Exception {
        Training training = training(most, plan);
        CompletableFuture<Computed> result = new CompletableFuture<>();
        GradientComputer.Done done =
                new GradientComputer.Done() {
                    @Override
                    public void computed(Work.Task task, Work.Result made, GradientCost effort) {
                        result.complete(new Computed(made, effort));
                    }

                    @Override
                    public void failed(Work.Task task, Throwable cause) {
                        result.completeExceptionally(cause);
                    }
                };
        try (GradientComputer computer = new GradientComputer(training, "a test", done)) {
            Settings settings =
                    new Settings(Cohort.first(workers), f, workers, batch, 0.1, false, false, 0);
            float[] parameters = training.model().initialParameters(1);
            computer.start(new Work.Task(0, 0, 0, settings, parameters, 0, Map.of(), 0));
            return result.get(5, TimeUnit.MINUTES);
        }
    }

    /** NaN is a proven fault of the worker; where none is tolerated the run fails instead. */
    @Test
    void whoseOwnCodeFailsIsAtFaultIfThatIsTolerated() throws Exception {
        float[] sent = compute(-1, 8, 3, 1, ELASTIC).result().values();
        assertThat(sent).hasSizeGreaterThan(100).containsOnly(Float.NaN);
        assertThatThrownBy(() -> compute(-1, 8, 3, 0, ELASTIC))
                .hasCauseInstanceOf(ParticipantException.class)
                .hasMessageEndingWith("raised ValueError: no");
    }

    @Test
    void aBatchThatDoesNotFitIsHalvedUntilItDoes() throws Exception {
        Computed all = compute(12, 12);
        assertThat(all.effort().samples()).isEqualTo(12);
        assertThat(all.effort().nanos()).isPositive();
        // The batch, 28 × 28 floats a sample, is most of it.
        assertThat(all.effort().bytes()).isGreaterThan(12L * 28 * 28 * Float.BYTES);

        Computed part = compute(12, 40);
        assertThat(part.effort().samples()).isEqualTo(10);
        assertThat(part.result().values()).isEqualTo(compute(12, 10).result().values());
    }

    @Test
    void aWorkerThatIsAloneTakesItsBatchInTwoHalvesAndSaysHowFarTheyAre() throws Exception {
        Training training = training(7, ELASTIC);
        Batches batches = new Batches(training);
        float[] parameters = training.model().initialParameters(1);
        float[] first;
        float[] second;
        try (Learner learner = training.model().newLearner()) {
            first = learner.gradient(parameters, batches.next(0, 0, 3), 0).values();
            second = learner.gradient(parameters, batches.next(0, 3, 4), 0).values();
        }
        double distance = 0;
        double product = 0;
        Computed alone = compute(4, 7, 1, ELASTIC);
        for (int i = 0; i < first.length; i++) {
            distance += Math.pow((double) first[i] - second[i], 2);
            product += (double) first[i] * second[i];
            assertThat(alone.result().values()[i])
                    .isCloseTo((3 * first[i] + 4 * second[i]) / 7, within(1e-6f));
        }
        assertThat(alone.effort().samples()).isEqualTo(7);
        assertThat(alone.result().halves().squaredDistance())
                .isCloseTo(distance, withinPercentage(1e-9));
        assertThat(alone.result().halves().product()).isCloseTo(product, withinPercentage(1e-9));
        // With others it is compared with them, and elsewhere nobody asks.
        assertThat(compute(12, 7, 2, ELASTIC).result().halves()).isNull();
        assertThat(compute(12, 7, 1, Plan.FIXED).result().halves()).isNull();
        assertThat(compute(12, 1, 1, ELASTIC).result().halves()).isNull();
        // Half a batch took too much memory: what is left is too little to say anything.
        assertThat(compute(2, 7, 1, ELASTIC).result().halves()).isNull();
    }

    /** Data that count how often each batch is read, and let some readers wait. */
    private static final class Watched implements Dataset {
        private final Dataset data;
        private final Predicate<int[]> stalls;
        private final CountDownLatch released = new CountDownLatch(1);
        private final Map<List<Integer>, Integer> reads = new ConcurrentHashMap<>();

        private Watched(Predicate<int[]> stalls) {
            this.data = Datasets.open(DATA, Datasets.Split.TRAIN);
            this.stalls = stalls;
        }

        @Override
        public Batch batch(int[] indexes) {
            reads.merge(Arrays.stream(indexes).boxed().toList(), 1, Integer::sum);
            if (stalls.test(indexes)) {
                try {
                    released.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return data.batch(indexes);
        }

        @Override
        public int size() {
            return data.size();
        }

        @Override
        public int[] shape() {
            return data.shape();
        }

        @Override
        public int classes() {
            return data.classes();
        }

        @Override
        public int label(int index) {
            return data.label(index);
        }

        @Override
        public void read(int index, float[] out, int offset) {
            data.read(index, out, offset);
        }
    }

    /** Workers that ask for their next gradient as soon as they hear of one. */
    private static final class Rounds implements GradientComputer.Done, AutoCloseable {
        private static final int BATCH = 4;

        private final int rounds;
        private final float[] parameters;
        private final Map<Integer, CompletableFuture<Void>> ends = new ConcurrentHashMap<>();
        private final GradientComputer computer;

        private Rounds(Watched data, int workers, int rounds, long mostAhead) {
            this.rounds = rounds;
            Model model = Models.open("logistic", data.shape(), data.classes());
            parameters = model.initialParameters(1);
            Training training =
                    new TrainingBuilder("testrun1", DATA, model, Rules.parse("average"), workers, 0)
                            .batchSize(BATCH)
                            .build();
            computer =
                    new GradientComputer(
                            training, NAME, this, () -> new Batches(training, data), mostAhead);
            for (int worker = 0; worker < workers; worker++) {
                ends.put(worker, new CompletableFuture<>());
            }
            for (int worker = 0; worker < workers; worker++) {
                start(worker, 0);
            }
        }

        private void start(int worker, long round) {
            Settings settings = new Settings(Cohort.first(1), 0, 1, BATCH, 0.1, false, false, 0);
            computer.start(
                    new Work.Task(
                            0, worker, round, settings, parameters, round * BATCH, Map.of(), 0));
        }

        @Override
        public void computed(Work.Task task, Work.Result result, GradientCost effort) {
            if (task.round() + 1 < rounds) {
                start(task.worker(), task.round() + 1);
            } else {
                ends.get(task.worker()).complete(null);
            }
        }

        @Override
        public void failed(Work.Task task, Throwable cause) {
            ends.get(task.worker()).completeExceptionally(cause);
        }

        private void untilEnd(int worker) throws Exception {
            ends.get(worker).get(5, TimeUnit.MINUTES);
        }

        @Override
        public void close() {
            computer.close();
        }
    }

    private static long readers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("read for " + NAME))
                .count();
    }

    @Test
    void noBatchIsReadTwiceHoweverSoonItIsAskedFor() throws Exception {
        Watched data = new Watched(batch -> false);
        try (Rounds rounds = new Rounds(data, 3, 20, Long.MAX_VALUE)) {
            for (int worker = 0; worker < 3; worker++) {
                rounds.untilEnd(worker);
            }
        }
        assertThat(data.reads).hasSizeGreaterThanOrEqualTo(60);
        assertThat(data.reads.values()).containsOnly(1);
    }

    @Test
    void howeverManyWorkersThereAreOnlySoManyRead() throws Exception {
        int workers = 3 * GradientComputer.READERS;
        Watched data = new Watched(batch -> true);
        try (Rounds rounds = new Rounds(data, workers, 1, Long.MAX_VALUE)) {
            // A pool starts a thread when it takes a task, or never.
            assertThat(readers()).isEqualTo(GradientComputer.READERS);
            data.released.countDown();
            for (int worker = 0; worker < workers; worker++) {
                rounds.untilEnd(worker);
            }
        }
    }

    @Test
    void aWorkerWhoseDataStallHoldsNobodyBack() throws Exception {
        AtomicReference<int[]> first = new AtomicReference<>();
        Watched data =
                new Watched(
                        batch ->
                                first.compareAndSet(null, batch)
                                        || Arrays.equals(first.get(), batch));
        try (Rounds rounds = new Rounds(data, 2, 5, Long.MAX_VALUE)) {
            CompletableFuture.anyOf(rounds.ends.get(0), rounds.ends.get(1))
                    .get(5, TimeUnit.MINUTES);
            assertThat(rounds.ends.values()).filteredOn(end -> !end.isDone()).hasSize(1);
            data.released.countDown();
            rounds.untilEnd(0);
            rounds.untilEnd(1);
        }
    }

    @Test
    void whatHasNoRoomAheadIsReadWhenItIsAskedFor() throws Exception {
        Watched data = new Watched(batch -> false);
        try (Rounds rounds = new Rounds(data, 1, 3, 0)) {
            rounds.untilEnd(0);
        }
        assertThat(data.reads.values()).containsExactly(1, 1, 1);
    }

    @Test
    void whereNotEvenOneSampleFitsTheRunFails() {
        assertThatThrownBy(() -> compute(0, 4)).hasCauseInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void aRunThatStaysAsItStartsDoesNotMakeDoWithLess() {
        assertThatThrownBy(() -> compute(12, 40, 1, Plan.FIXED))
                .hasCauseInstanceOf(OutOfMemoryError.class);
    }
}
