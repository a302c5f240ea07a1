package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.gar.Attacks;
import dev.levee.learners.Evaluation;
import dev.levee.learners.FlatVector;
import dev.levee.learners.Layout;
import dev.levee.learners.Model;
import dev.levee.learners.WrappedModel;
import dev.levee.learners.layers.LayeredModel;
import dev.levee.learners.layers.StagePasses;
import dev.levee.operators.placement.PipelineOrder;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.pipeline.PipelinedModel;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.testing.pipeline.TanhChain;

import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/**
 * Workers that are pipelines over several task managers, whose stages keep the momentum of their
 * own parameters, end with the bits of whole workers.
 */
@Tag("cluster")
class PipelinedTrainingTest {
    private static final int WORKERS = 7;

    /**
     * Of three blocks the first goes through the worker, the first stage sends the second, and in
     * the third all stages meet.
     */
    private static final TanhChain CHAIN = new TanhChain(List.of(784, 400, 20, 10, 4));

    private static final String KEY = "backward";

    /** Backward passes that may run before the next one waits. */
    private static final Semaphore PERMITS = new Semaphore(0);

    private static final int ALL = 1_000_000;
    private static volatile CountDownLatch held = new CountDownLatch(0);

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(3)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    /** Backward passes fail as {@link Faults} are planned. */
    private record Failing(TanhChain model) implements LayeredModel, WrappedModel {
        @Override
        public int layers() {
            return model.layers();
        }

        @Override
        public Evaluation evaluate(List<Integer> lastLayers, FlatVector parameters, Dataset data) {
            return model.evaluate(lastLayers, parameters, data);
        }

        @Override
        public Stage stage(int first, int last) {
            return new FailingStage(model.stage(first, last));
        }
    }

    private record FailingStage(LayeredModel.Stage stage) implements LayeredModel.Stage {
        @Override
        public Layout layout() {
            return stage.layout();
        }

        @Override
        public float[] parameters(float[] parameters) {
            return stage.parameters(parameters);
        }

        @Override
        public void insert(float[] own, float[] vector) {
            stage.insert(own, vector);
        }

        @Override
        public StagePasses newPasses(boolean recompute) {
            return new FailingPasses(stage.newPasses(recompute));
        }
    }

    private record FailingPasses(StagePasses passes) implements StagePasses {
        @Override
        public void begin(float[] parameters) {
            passes.begin(parameters);
        }

        @Override
        public float[] forward(int microBatch, float[] inputs, int count, long seed) {
            return passes.forward(microBatch, inputs, count, seed);
        }

        @Override
        public double loss(float[] outputs, Batch answers, float[] slope) {
            return passes.loss(outputs, answers, slope);
        }

        @Override
        public Backward backward(int microBatch, float[] slope, float[] into) {
            Faults.call(KEY);
            if (!PERMITS.tryAcquire()) {
                held.countDown();
                try {
                    PERMITS.acquire();
                } catch (InterruptedException e) {
                    throw new IllegalStateException("the run is stopped", e);
                }
            }
            return passes.backward(microBatch, slope, into);
        }

        @Override
        public long peakBytes() {
            return passes.peakBytes();
        }

        @Override
        public void close() {
            passes.close();
        }
    }

    /** The same model, whose workers compute the same micro-batches where they live. */
    private record InOnePlace(PipelinedModel model) implements WrappedModel {}

    private static PipelinedModel pipelined() {
        return new PipelinedModel(
                new Failing(CHAIN),
                List.of(0, 2, 3),
                3,
                PipelineOrder.ONE_FORWARD_ONE_BACKWARD,
                false);
    }

    private static Training training(String run, Model model) {
        return new TrainingBuilder(Trainings.logistic(WORKERS, 2, "nnm | multi-krum", 5))
                .runId(run)
                .model(model)
                .work(new GradientWork(0.9))
                .optimizer(Optimizer.of(OptimizerKind.SGD, 0))
                .attack(Attacks.parse("little-is-enough"), 2)
                .batchSize(6)
                .evalInterval(5)
                .build();
    }

    private static RunResult run(String run, Model model, int failures) throws Exception {
        permit(ALL);
        return Restarts.disturbed(KEY, failures, training(run, model), 3);
    }

    private static void permit(int passes) {
        held = new CountDownLatch(1);
        PERMITS.drainPermits();
        PERMITS.release(passes);
    }

    @Test
    void rescalingFromOneSlotToThreeAndToTwoChangesNoBit(@TempDir Path directory) throws Exception {
        PipelinedModel model = pipelined();
        RunResult whole = run("unscaled", new InOnePlace(model), 0);

        Training training = training("rescaled", model);
        Path savepoint = null;
        for (int slots : new int[] {1, 3}) {
            permit(100);
            JobClient job = Restarts.start(training, slots, savepoint);
            held.await();
            savepoint = Restarts.stop(job, directory);
        }
        permit(ALL);
        Restarts.start(training, 2, savepoint).getJobExecutionResult().get();
        RunResult rescaled = new KeptResult("rescaled").take();
        assertThat(rescaled.parameters()).isEqualTo(whole.parameters());
        assertThat(rescaled.rounds()).hasSameSizeAs(whole.rounds());
    }

    @Test
    void stagesOnThreeTaskManagersAndFailuresChangeNoBit() throws Exception {
        PipelinedModel model = pipelined();
        RunResult whole = run("whole", new InOnePlace(model), 0);
        assertThat(training("staged", model).blockwise()).isTrue();
        RunResult quiet = run("staged", model, 0);
        assertThat(quiet.parameters()).isEqualTo(whole.parameters());
        assertThat(quiet.rounds().get(4).loss()).isEqualTo(whole.rounds().get(4).loss());

        RunResult disturbed = run("failing", model, 3);
        assertThat(disturbed.parameters()).isEqualTo(whole.parameters());
    }
}
