package dev.levee.operators.rounds.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.gar.BlockKernels;
import dev.levee.gar.LookResult;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rules;
import dev.levee.gar.block.Span;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.Control;
import dev.levee.operators.rounds.HalfBatches;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.participant.Sampler;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.RoundReportBuilder;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.stream.IntStream;

/** The noise scale and what follows from it on a real model and real batches. */
class MeasuredGainTest {
    private static final String DATA = "strokes:?train=2000&test=1000&seed=1";
    private static final int BATCH = 16;
    private static final int ROUNDS = 400;

    private static Dataset train;
    private static Dataset test;
    private static Model model;
    private static Learner learner;

    @BeforeAll
    static void open() {
        train = Datasets.open(DATA, Datasets.Split.TRAIN);
        test = Datasets.open(DATA, Datasets.Split.TEST);
        model = Models.open("logistic", train.shape(), train.classes());
        learner = model.newLearner();
    }

    @AfterAll
    static void close() {
        learner.close();
    }

    private static int[] all() {
        return IntStream.range(0, train.size()).toArray();
    }

    private static float[] gradient(float[] parameters, int... samples) {
        return learner.gradient(parameters, train.batch(samples), 0).values();
    }

    private static LookResult look(float[][] rows, long round) {
        int n = rows.length;
        int length = rows[0].length;
        Span span = new Span(0, length, 1, round);
        return BlockKernels.look(NoiseScale.LOOK, RowMap.identity(n, n), rows, null, span, length);
    }

    private static void step(float[] parameters, float[][] rows, double rate) {
        for (float[] row : rows) {
            for (int i = 0; i < parameters.length; i++) {
                parameters[i] -= (float) (rate / rows.length) * row[i];
            }
        }
    }

    /** tr(Σ) / |G|² over all samples, one by one. */
    private static double direct(float[] parameters) {
        float[] mean = gradient(parameters, all());
        double norm = 0;
        for (float each : mean) {
            norm += (double) each * each;
        }
        double trace = 0;
        for (int sample : all()) {
            float[] one = gradient(parameters, sample);
            for (int i = 0; i < one.length; i++) {
                trace += Math.pow(one[i] - mean[i], 2);
            }
        }
        return trace / (train.size() - 1) / norm;
    }

    @Test
    void isThatOfAllSamplesOneByOne() {
        float[] parameters = model.initialParameters(1);
        Sampler sampler = new Sampler(all(), 1, 0);
        for (int round = 0; round < 20; round++) {
            float[] gradient = gradient(parameters, sampler.next(round * 64L, 64));
            step(parameters, new float[][] {gradient}, 0.1);
        }
        NoiseScale scale = new NoiseScale(0);
        int n = 4;
        for (int round = 0; round < 300; round++) {
            float[][] rows = new float[n][];
            for (int i = 0; i < n; i++) {
                long from = ((long) round * n + i) * BATCH;
                rows[i] = gradient(parameters, sampler.next(from, BATCH));
            }
            scale.add(round, IntStream.range(0, n).toArray(), BATCH, look(rows, round));
        }
        double expected = direct(parameters);
        assertThat(scale.value()).isCloseTo(expected, within(0.15 * expected));
        assertThat(byHalves(parameters)).isCloseTo(expected, within(0.15 * expected));
    }

    /** What a lone worker finds, with four times the batch. */
    private static double byHalves(float[] parameters) {
        NoiseScale scale = new NoiseScale(0);
        Sampler sampler = new Sampler(all(), 2, 0);
        int batch = 4 * BATCH;
        for (int round = 0; round < 300; round++) {
            int[] samples = sampler.next((long) round * batch, batch);
            scale.add(round, new int[] {0}, batch, halves(parameters, samples).looked());
        }
        return scale.value();
    }

    private static HalfBatches halves(float[] parameters, int[] samples) {
        int half = HalfBatches.first(samples.length);
        float[] first = gradient(parameters, Arrays.copyOf(samples, half));
        float[] second = gradient(parameters, Arrays.copyOfRange(samples, half, samples.length));
        return HalfBatches.of(first, second, first.length);
    }

    /** Accuracy of a run whose workers and batches change now and then, or never. */
    private static double accuracy(long seed, BatchScaling scaling) {
        Training training =
                new TrainingBuilder("measured1", DATA, model, Rules.parse("average"), 2, 0)
                        .batchSize(BATCH)
                        .rounds(ROUNDS)
                        .learningRate(LearningRate.parse("constant", 0.05, ROUNDS))
                        .work(new GradientWork(0))
                        .plan(
                                scaling == null
                                        ? Plan.FIXED
                                        : new Elasticity(1, 8, 1024, 0, 0.05, scaling, null))
                        .build();
        Planner planner = training.plan().planner(training, PlanState.NONE);
        Sampler sampler = new Sampler(all(), seed, 0);
        float[] parameters = model.initialParameters(seed);
        Settings settings = training.plan().at(training, 0);
        int round = 0;
        while (!settings.stop()) {
            float[][] rows = new float[settings.workers()][];
            LookResult seen = null;
            for (int i = 0; i < rows.length; i++) {
                long from = settings.samples() + (long) i * settings.batchSize();
                int[] samples = sampler.next(from, settings.batchSize());
                rows[i] = gradient(parameters, samples);
                seen = rows.length == 1 ? halves(parameters, samples).looked() : null;
            }
            planner.spread(0, seen == null ? look(rows, round) : seen);
            step(parameters, rows, settings.learningRate());
            planner.applied(
                    new RoundReportBuilder(round)
                            .seconds(0)
                            .phases(new double[0])
                            .loss(0)
                            .rate(0)
                            .batch(settings.batchSize())
                            .rows(settings.cohort().ids())
                            .build());
            round++;
            if (round % 20 == 0) {
                int workers = new int[] {2, 4, 8, 1}[round / 20 % 4];
                int batch = new int[] {16, 64, 32, 48}[round / 20 % 3];
                planner.runsOn(workers);
                planner.control(new Control(round, batch, workers, 0.05 * workers * batch / 32, 0));
            }
            settings = planner.next(settings, round);
        }
        return learner.evaluate(parameters, test).accuracy();
    }

    @Tag("long")
    @Test
    void anElasticRunIsAsAccurateAsOneAlone() {
        double[] lost = new double[8];
        Arrays.setAll(lost, seed -> accuracy(seed, null) - accuracy(seed, BatchScaling.ADASCALE));
        assertThat(Arrays.stream(lost).average().orElseThrow())
                .as(Arrays.toString(lost))
                .isCloseTo(0, within(0.005));
    }
}
