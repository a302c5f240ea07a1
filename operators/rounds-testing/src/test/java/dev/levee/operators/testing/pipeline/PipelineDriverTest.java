package dev.levee.operators.testing.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.operators.placement.PipelineOrder;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.participant.ModelArrays;
import dev.levee.operators.rounds.pipeline.PipelinedModel;
import dev.levee.operators.rounds.pipeline.StageId;
import dev.levee.operators.rounds.pipeline.StageShares;
import dev.levee.operators.rounds.pipeline.StageState;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.rounds.vector.Coordinates;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** A pipeline gives the bits of the unsplit network, whatever comes first. */
class PipelineDriverTest {
    private static final int WORKERS = 3;
    private static final TanhChain CHAIN = new TanhChain(List.of(6, 9, 7, 8, 5, 4));

    private static final Settings SETTINGS =
            new Settings(Cohort.first(WORKERS), 0, 1, 1, 1, false, false, 0);

    private static Batch batch(int size, long seed) {
        Random random = new Random(seed);
        float[] features = new float[6 * size];
        int[] labels = new int[size];
        for (int i = 0; i < features.length; i++) {
            features[i] = random.nextFloat();
        }
        for (int i = 0; i < size; i++) {
            labels[i] = random.nextInt(2);
        }
        return new Batch(features, labels);
    }

    private static Gradient unsplit(PipelinedModel model, float[] parameters, Batch batch) {
        try (Learner learner = model.newLearner()) {
            return learner.gradient(parameters, batch, 5);
        }
    }

    private static void agree(Gradient gradient, Gradient other, String what) {
        assertThat(gradient.values()).as(what).isEqualTo(other.values());
        assertThat(gradient.loss()).as(what).isEqualTo(other.loss());
    }

    /** Stages that end with these layers, drawn by a seed. */
    private static List<Integer> cuts(Random random) {
        List<Integer> ends = new ArrayList<>();
        for (int layer = 0; layer < CHAIN.layers() - 1; layer++) {
            if (random.nextBoolean()) {
                ends.add(layer);
            }
        }
        ends.add(CHAIN.layers() - 1);
        return ends;
    }

    @Test
    void anySchedulePlacementAndRestartGivesTheBitsOfTheUnsplitNetwork() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            PipelinedModel model =
                    new PipelinedModel(
                            CHAIN,
                            cuts(random),
                            1 + random.nextInt(6),
                            PipelineOrder.values()[random.nextInt(2)],
                            random.nextBoolean());
            PipelineDriver driver = new PipelineDriver(model, WORKERS, 1 + random.nextInt(4), seed);
            float[] parameters = model.initialParameters(seed);
            List<Batch> batches = new ArrayList<>();
            for (int worker = 0; worker < WORKERS; worker++) {
                batches.add(batch(1 + random.nextInt(12), seed + worker));
            }
            List<CompletableFuture<Gradient>> gradients = begin(driver, parameters, batches);
            if (random.nextInt(3) == 0) {
                driver.run(random.nextInt(60));
                driver.restart();
                gradients = begin(driver, parameters, batches);
            }
            driver.run(Integer.MAX_VALUE);
            for (int worker = 0; worker < WORKERS; worker++) {
                assertThat(gradients.get(worker)).as("seed %d", seed).isCompleted();
                agree(
                        gradients.get(worker).join(),
                        unsplit(model, parameters, batches.get(worker)),
                        "seed " + seed);
            }
        }
    }

    /**
     * Stages hear their parameters block by block, before or after their steps begin, and send
     * blocks of their own: with those of the worker they are the gradient of the unsplit network.
     */
    @Test
    void blocksFromStagesAndWorkerAreTheGradient() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            PipelinedModel model =
                    new PipelinedModel(
                            CHAIN,
                            cuts(random),
                            1 + random.nextInt(6),
                            PipelineOrder.values()[random.nextInt(2)],
                            random.nextBoolean());
            Slices slices =
                    new Slices(
                            model.layout().size(),
                            model.layout().trainable(),
                            1 + random.nextInt(60));
            StageShares shares = StageShares.apart(model, slices, new GradientWork(0));
            PipelineDriver driver =
                    new PipelineDriver(model, shares, WORKERS, 1 + random.nextInt(4), seed);
            float[] parameters = model.initialParameters(seed);
            List<ModelBlock> blocks = blocks(slices, parameters, random);
            List<Batch> batches = new ArrayList<>();
            for (int worker = 0; worker < WORKERS; worker++) {
                batches.add(batch(1 + random.nextInt(12), seed + worker));
            }
            int before = random.nextInt(blocks.size() + 1);
            blocks.subList(0, before).forEach(driver::offer);
            List<CompletableFuture<Gradient>> parts = new ArrayList<>();
            for (int worker = 0; worker < WORKERS; worker++) {
                parts.add(driver.begin(worker, 3, -1, new float[0], batches.get(worker), 5));
            }
            driver.run(random.nextInt(60));
            blocks.subList(before, blocks.size()).forEach(driver::offer);
            driver.run(Integer.MAX_VALUE);
            for (int worker = 0; worker < WORKERS; worker++) {
                Gradient part = parts.get(worker).join();
                float[] whole = whole(slices, shares, part.values(), worker, driver.sent());
                agree(
                        new Gradient(whole, part.loss()),
                        unsplit(model, parameters, batches.get(worker)),
                        "seed " + seed);
            }
        }
    }

    /** The blocks of version 3, in any order. */
    private static List<ModelBlock> blocks(Slices slices, float[] parameters, Random random) {
        return blocks(3, slices, parameters, random);
    }

    private static List<ModelBlock> blocks(
            long version, Slices slices, float[] parameters, Random random) {
        List<ModelBlock> blocks = new ArrayList<>();
        for (int block = 0; block < slices.count(); block++) {
            int from = slices.offset(block);
            blocks.add(
                    new ModelBlock(
                            Header.model(PipelineDriver.RUN, version, new ShardId(0, block)),
                            SETTINGS,
                            Arrays.copyOfRange(parameters, from, from + slices.length(block))));
        }
        Collections.shuffle(blocks, random);
        return blocks;
    }

    /** A worker of a pipeline with momentum, whose state is that of the last checkpoint. */
    private static final class Smoothing {
        private final GradientWork work = new GradientWork(0.9);
        private final StageShares shares;
        private long answered = -1;
        private Map<String, float[]> kept = Map.of();

        private Smoothing(StageShares shares) {
            this.shares = shares;
        }

        private Smoothing copy() {
            Smoothing copy = new Smoothing(shares);
            copy.answered = answered;
            copy.kept = kept;
            return copy;
        }

        /** The worker's part of what is sent; then the round is answered. */
        private float[] answer(long round, Gradient part) {
            Work.Result result =
                    work.work(
                            new Work.Task(0, 0, round, null, new float[0], 0, kept, 0),
                            kept,
                            shares.trainable(),
                            (parameters, step) -> part);
            answered = round;
            kept = result.vectors();
            return result.values();
        }
    }

    /**
     * Momentum that stages and worker keep of their own parts is that of the whole gradient, also
     * if all fail at any time and continue from what they remembered at any time before.
     */
    @Test
    void momentumInPartsIsThatOfTheWholeGradient() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            PipelinedModel model =
                    new PipelinedModel(
                            CHAIN,
                            cuts(random),
                            1 + random.nextInt(3),
                            PipelineOrder.values()[random.nextInt(2)],
                            random.nextBoolean());
            Slices slices =
                    new Slices(
                            model.layout().size(),
                            model.layout().trainable(),
                            1 + random.nextInt(60));
            StageShares shares = StageShares.apart(model, slices, new GradientWork(0.9));
            PipelineDriver driver =
                    new PipelineDriver(model, shares, 1, 1 + random.nextInt(4), seed);
            Smoothing worker = new Smoothing(shares);
            Smoothing saved = worker.copy();
            Map<StageId, StageState> states = driver.states();
            Map<String, float[]> whole = Map.of();
            for (long round = 0; round < 5; round++) {
                float[] parameters = model.initialParameters(seed + round);
                Batch batch = batch(1 + random.nextInt(12), seed + round);
                List<ModelBlock> blocks = blocks(round, slices, parameters, random);
                int sent = driver.sent().size();
                blocks.forEach(driver::offer);
                CompletableFuture<Gradient> part =
                        driver.begin(0, round, worker.answered, new float[0], batch, 5);
                if (random.nextBoolean()) {
                    driver.run(random.nextInt(40));
                    states = driver.states();
                    saved = worker.copy();
                }
                if (saved.answered == worker.answered && random.nextBoolean()) {
                    driver.run(random.nextInt(40));
                    driver.restart(states);
                    worker = saved.copy();
                    if (random.nextInt(3) == 0) {
                        // The round closes without the worker.
                        continue;
                    }
                    blocks.forEach(driver::offer);
                    part = driver.begin(0, round, worker.answered, new float[0], batch, 5);
                }
                driver.run(Integer.MAX_VALUE);
                Work.Result expected = expected(whole, unsplit(model, parameters, batch), model);
                whole = expected.vectors();
                float[] own = worker.answer(round, part.join());
                List<GradientBlock> blocksSent = newest(driver.sent(), sent);
                assertThat(whole(slices, shares, own, 0, blocksSent))
                        .as("seed %d, round %d", seed, round)
                        .isEqualTo(expected.values());
            }
        }
    }

    private static Work.Result expected(
            Map<String, float[]> kept, Gradient gradient, PipelinedModel model) {
        return new GradientWork(0.9)
                .work(
                        new Work.Task(0, 0, 0, null, new float[0], 0, kept, 0),
                        kept,
                        model.layout().trainable(),
                        (parameters, step) -> gradient);
    }

    /** Blocks sent since then; one that was sent again has the same bits. */
    private static List<GradientBlock> newest(List<GradientBlock> sent, int from) {
        Map<Integer, GradientBlock> newest = new TreeMap<>();
        for (GradientBlock each : sent.subList(from, sent.size())) {
            GradientBlock before = newest.put(each.header().block(), each);
            if (before != null) {
                assertThat(each.values()).isEqualTo(before.values());
            }
        }
        return List.copyOf(newest.values());
    }

    /** Puts a contribution together, of which each coordinate comes once. */
    private static float[] whole(
            Slices slices, StageShares shares, float[] own, int worker, List<GradientBlock> sent) {
        float[] whole = new float[slices.dimension()];
        Coordinates all = Coordinates.all(slices.dimension());
        shares.workers(new ModelArrays()).contribution().copy(own, all, whole);
        int count = shares.workers(new ModelArrays()).contribution().size();
        for (GradientBlock each : sent) {
            if (each.header().sender() == worker) {
                int from = slices.offset(each.header().block());
                System.arraycopy(each.values(), 0, whole, from, each.length());
                count += each.length();
            }
        }
        assertThat(count).isEqualTo(slices.dimension());
        return whole;
    }

    /** A step whose version is gone ends, too: its round has closed. */
    @Test
    void aStepOfAVersionThatIsGoneEnds() {
        PipelinedModel model =
                new PipelinedModel(CHAIN, List.of(1, 4), 2, PipelineOrder.GPIPE, false);
        Slices slices = new Slices(model.layout().size(), model.layout().trainable(), 16);
        PipelineDriver driver =
                new PipelineDriver(
                        model, StageShares.apart(model, slices, new GradientWork(0)), 1, 2, 1);
        float[] parameters = model.initialParameters(1);
        blocks(slices, parameters, new Random(1)).forEach(driver::offer);
        CompletableFuture<Gradient> late = driver.begin(0, 2, -1, new float[0], batch(4, 1), 5);
        driver.run(Integer.MAX_VALUE);
        assertThat(late).isCompleted();
        assertThat(driver.sent()).allMatch(each -> each.header().round() == 2);
    }

    private static List<CompletableFuture<Gradient>> begin(
            PipelineDriver driver, float[] parameters, List<Batch> batches) {
        List<CompletableFuture<Gradient>> gradients = new ArrayList<>();
        for (int worker = 0; worker < WORKERS; worker++) {
            gradients.add(driver.begin(worker, parameters, batches.get(worker), 5));
        }
        return gradients;
    }

    /**
     * GPipe holds all 6 micro-batches in each stage, 1F1B as many as stages follow, with its own.
     */
    @Test
    void aStageHoldsNoMoreThanItsScheduleSays() {
        int[][] held = {{6, 6, 6}, {3, 2, 1}};
        List<Integer> ends = List.of(0, 2, 4);
        for (PipelineOrder order : PipelineOrder.values()) {
            for (long seed = 0; seed < 20; seed++) {
                PipelinedModel model = new PipelinedModel(CHAIN, ends, 6, order, false);
                PipelineDriver driver = new PipelineDriver(model, 1, 3, seed);
                driver.begin(0, model.initialParameters(1), batch(12, seed), 5);
                driver.run(Integer.MAX_VALUE);
                // Two samples of what goes in and what each layer gives.
                long[] numbers = {6 + 9, 9 + 7 + 8, 8 + 5 + 4};
                for (int stage = 0; stage < 3; stage++) {
                    assertThat(driver.peakBytes(stage))
                            .as("%s, stage %d", order, stage)
                            .isEqualTo(held[order.ordinal()][stage] * 2 * 4 * numbers[stage]);
                }
            }
        }
    }

    /** With recomputation only the inputs of a stage are kept. */
    @Test
    void recomputationKeepsInputsOnly() {
        PipelinedModel model =
                new PipelinedModel(CHAIN, List.of(1, 4), 4, PipelineOrder.GPIPE, true);
        PipelineDriver driver = new PipelineDriver(model, 1, 2, 1);
        driver.begin(0, model.initialParameters(1), batch(8, 1), 5);
        driver.run(Integer.MAX_VALUE);
        assertThat(driver.peakBytes(0)).isEqualTo(8 * 4 * 6);
        assertThat(driver.peakBytes(1)).isEqualTo(8 * 4 * 7);
    }

    @Test
    void stagesAreTheWholeNetwork() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new PipelinedModel(CHAIN, List.of(1), 1, PipelineOrder.GPIPE, false))
                .withMessage("the last stage of tanh-chain must end with layer 4, got [1]");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                new PipelinedModel(
                                        CHAIN, List.of(2, 2, 4), 1, PipelineOrder.GPIPE, false))
                .withMessage(
                        "stages of tanh-chain must end with layers 0 to 4 in order, got [2, 2, 4]");
    }
}
