package dev.levee.federated.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.levee.federated.FederatedRuns;
import dev.levee.federated.FederatedWork;
import dev.levee.federated.Federation;
import dev.levee.federated.LocalTraining;
import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.federated.steps.ServerSteps;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.securesum.Masking;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.driver.RoundDriver;

import org.junit.jupiter.api.Test;

import java.time.Duration;

class PrivacyTest {
    private static Federation noisy(String sampling, int perRound, Weighting weighting) {
        return noisy(Sampling.parse(sampling), perRound, weighting);
    }

    private static Federation noisy(Sampling sampling, int perRound, Weighting weighting) {
        return new Federation(
                        new Participation(sampling, perRound, weighting),
                        LocalTraining.sgd(new LocalSteps.Steps(2), 0.05),
                        ServerSteps.parse("sgd", 1))
                .with(new Privacy(0.5, 1.1, 1e-5));
    }

    private static void refused(Federation federation, Training run, String sentence) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> federation.check(run))
                .withMessage(sentence);
    }

    @Test
    void clipsToTheNormAndLeavesWhatIsShorter() {
        float[] values = {3, 4, 9};
        new Privacy(1, 0, 1e-5).apply(values, 2, 1, 1, 1, 0, 0);
        assertThat(values).containsExactly(0.6f, 0.8f, 9);
        new Privacy(2, 0, 1e-5).apply(values, 2, 1, 1, 1, 0, 0);
        assertThat(values).containsExactly(0.6f, 0.8f, 9);
        float[] nothing = {0, 0};
        new Privacy(2, 0, 1e-5).apply(nothing, 2, 1, 1, 1, 0, 0);
        assertThat(nothing).containsExactly(0, 0);
    }

    /** NaN becomes 0 under masks, so the other values must have the norm by themselves. */
    @Test
    void clipsOtherValuesThanNan() {
        float[] values = {3, Float.NaN, 4};
        new Privacy(1, 0, 1e-5).apply(values, 3, 1, 1, 1, 0, 0);
        assertThat(values).containsExactly(0.6f, Float.NaN, 0.8f);
        float[] endless = {3, Float.POSITIVE_INFINITY};
        new Privacy(1, 0, 1e-5).apply(endless, 2, 1, 1, 1, 0, 0);
        assertThat(endless).containsExactly(0, Float.NaN);
    }

    /** Four devices that send nothing: their mean is the noise, of deviation zS/4. */
    @Test
    void theMeanOfARoundHasTheNoiseThatIsCounted() {
        Privacy privacy = new Privacy(0.5, 3, 1e-5);
        double squares = 0;
        double sum = 0;
        int count = 20_000;
        float[] mean = new float[count];
        for (int device = 0; device < 4; device++) {
            float[] values = new float[count];
            privacy.apply(values, count, 4, 4, 7, 12, device);
            for (int i = 0; i < count; i++) {
                mean[i] += values[i] / 4;
            }
        }
        for (float each : mean) {
            squares += each * each;
            sum += each;
        }
        double deviation = 3 * 0.5 / 4;
        assertThat(Math.sqrt(squares / count)).isCloseTo(deviation, within(0.02 * deviation));
        assertThat(sum / count).isCloseTo(0, within(4 * deviation / Math.sqrt(count)));
    }

    @Test
    void noiseIsOfItsRoundAndDevice() {
        Privacy privacy = new Privacy(1, 1, 1e-5);
        float[][] drawn = new float[4][8];
        privacy.apply(drawn[0], 8, 4, 4, 7, 12, 3);
        privacy.apply(drawn[1], 8, 4, 4, 7, 12, 3);
        privacy.apply(drawn[2], 8, 4, 4, 7, 13, 3);
        privacy.apply(drawn[3], 8, 4, 4, 7, 12, 2);
        assertThat(drawn[1]).isEqualTo(drawn[0]);
        assertThat(drawn[2]).isNotEqualTo(drawn[0]);
        assertThat(drawn[3]).isNotEqualTo(drawn[0]);
    }

    @Test
    void onlyPoissonSamplingAmplifies() {
        Training run = FederatedRuns.run(100).workers(1000).build();
        double poisson = epsilon(noisy("poisson", 50, Weighting.EQUAL), run);
        assertThat(poisson).isCloseTo(3.312107848787, within(1e-6));
        double uniform = epsilon(noisy("uniform", 50, Weighting.EQUAL), run);
        assertThat(uniform).isGreaterThan(20 * poisson);
        assertThat(epsilon(noisy("balanced", 50, Weighting.EQUAL), run)).isEqualTo(uniform);
        assertThat(FederatedRuns.averaging("poisson", 50, new LocalSteps.Steps(2)).privacyLoss(run))
                .isEmpty();
    }

    /** Poisson sampling among the first half of the devices. */
    private record OfHalf() implements Sampling {
        @Override
        public String name() {
            return "half";
        }

        @Override
        public int population(int devices) {
            return devices / 2;
        }

        @Override
        public boolean amplifies() {
            return true;
        }

        @Override
        public int[] sample(Request request) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void devicesThatAreNeverAskedHideNobody() {
        Training all = FederatedRuns.run(100).workers(1000).build();
        Training half = FederatedRuns.run(100).workers(500).build();
        double epsilon = epsilon(noisy(new OfHalf(), 50, Weighting.EQUAL), all);
        assertThat(epsilon)
                .isEqualTo(epsilon(noisy("poisson", 50, Weighting.EQUAL), half))
                .isGreaterThan(epsilon(noisy("poisson", 50, Weighting.EQUAL), all));
    }

    private static double epsilon(Federation federation, Training run) {
        return federation.privacyLoss(run).orElseThrow().after(run.rounds());
    }

    @Test
    void refusesWhatVoidsTheBound() {
        Training run = FederatedRuns.run(100).workers(1000).build();
        Federation poisson = noisy("poisson", 50, Weighting.EQUAL);
        poisson.check(run);
        refused(
                noisy("poisson", 50, Weighting.KL),
                run,
                "weighting must be equal with dpNoise, whose bound is for an unweighted "
                        + "mean, got kl");
        refused(
                poisson,
                new TrainingBuilder(run).rule(Rules.parse("median")).build(),
                "rule must be average with dpNoise, whose bound is for a mean, got median");
        refused(
                poisson,
                new TrainingBuilder(run).deadline(Duration.ofSeconds(1)).build(),
                "dpNoise is for rounds that wait for all asked devices, each of which adds a "
                        + "share of the noise: leave byzantine, deadline and roundTimeout out");
        refused(
                noisy("poisson", 2, Weighting.EQUAL),
                run,
                "plan poisson with perRound 2 of 1000 would too often sample no device for dpDelta"
                        + " 1.0E-5; ask more devices");
        refused(
                new Federation(
                                new Participation(Sampling.parse("uniform"), 5, Weighting.EQUAL),
                                LocalTraining.sgd(new LocalSteps.Steps(2), 0.05),
                                ServerSteps.parse("mix", 0.5))
                        .with(new Privacy(0.5, 0, 1e-5)),
                run,
                "dpClip is for devices that send changes, but with optimizer mix they send whole"
                        + " models");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Privacy(Double.POSITIVE_INFINITY, 1, 1e-5))
                .withMessage("dpNoise is relative to the clipping norm, so it needs dpClip");
    }

    private static Federation summed(String sampling, int perRound, Weighting weighting) {
        return noisy(sampling, perRound, weighting)
                .with(new Privacy(Double.POSITIVE_INFINITY, 0, 1e-5, Masking.PAIRWISE));
    }

    @Test
    void aSecureSumNeedsThreeAndAMean() {
        Training run = FederatedRuns.run(10).build();
        assertThat(summed("uniform", 3, Weighting.KL).of(run).admission().masking().hides())
                .isTrue();
        refused(
                summed("uniform", 2, Weighting.EQUAL),
                run,
                "secureSum needs perRound of at least 3, because with two devices each could "
                        + "infer the other's contribution, got 2");
        refused(
                summed("poisson", 5, Weighting.EQUAL),
                run,
                "secureSum needs rounds that ask a fixed number of devices, but plan poisson "
                        + "may ask a single one");
        refused(
                summed("uniform", 5, Weighting.EQUAL),
                new TrainingBuilder(run).rule(Rules.parse("median")).build(),
                "secureSum is for one server that adds up what all devices of a round have sent:"
                        + " rule average, and no byzantine or staleness, got median with f = 0");
        refused(
                summed("uniform", 5, Weighting.EQUAL),
                new TrainingBuilder(run).roundTimeout(Duration.ofSeconds(1)).build(),
                "secureSum excludes roundTimeout, which treats missing devices as faulty: "
                        + "use deadline");
    }

    @Test
    void sharesOfACohortAreOneTogether() {
        Training run = summed("uniform", 3, Weighting.SAMPLES).of(FederatedRuns.run(10).build());
        FederatedWork work = (FederatedWork) run.work();
        Cohort cohort = Cohort.of(1, 4, 9);
        double[] weights = work.weights();
        double all = weights[1] + weights[4] + weights[9];
        assertThat(work.share(4, cohort)).isCloseTo(weights[4] / all, within(1e-15));
        assertThat(work.mayWeigh(4, 1)).isTrue();
        assertThat(work.mayWeigh(4, weights[4] + 1)).isFalse();
        float[] values = {1, -2, 1000, Float.NEGATIVE_INFINITY};
        Privacy.weigh(values, 0.25);
        assertThat(values).containsExactly(0.25f, -0.5f, 16, -16);
    }

    @Test
    void aRunWithNoiseRecoversToItsBits() throws Exception {
        Training training = noisy("uniform", 5, Weighting.EQUAL).of(FederatedRuns.run(10).build());
        try (LearnedGradients gradients = new LearnedGradients(training)) {
            float[] first = RoundDriver.of(training, 1).gradients(gradients).run().parameters();
            float[] second = RoundDriver.of(training, 2).gradients(gradients).run().parameters();
            assertThat(second).isEqualTo(first);
        }
    }
}
