package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.privacy.Privacy;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.federated.steps.ServerSteps;
import dev.levee.gar.Attacks;
import dev.levee.operators.rounds.plan.SampledPlan;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.securesum.Masking;
import dev.levee.operators.rounds.securesum.plan.SumRates;
import dev.levee.operators.rounds.sequential.SequentialRun;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.rounds.vector.FixedPoint;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Rounds whose contributions are a secure sum that devices may leave. */
class SecureSumRunTest {
    private static final int ASKED = 10;
    private static final Masking RATES = new Masking.Recoverable(SumRates.parse("dropout=0.4"));

    /** Device i sends (i + 1)·(j mod 7 − 3) in coordinate j, and counts i + 1 times. */
    private record Counting() implements Work {
        private static int value(int device, int coordinate) {
            return (device + 1) * (coordinate % 7 - 3);
        }

        @Override
        public Result work(
                Task task, Map<String, float[]> kept, int trainable, Gradients gradients) {
            int[] values = new int[task.parameters().length];
            Arrays.setAll(values, j -> value(task.worker(), j));
            return new Result(
                    FixedPoint.bits(values, values.length), task.worker() + 1, 0, Map.of());
        }
    }

    private record Run(SequentialRun.Outcome outcome, List<RoundReport> rounds) {
        static Run of(Training training) {
            List<RoundReport> rounds = new ArrayList<>();
            SequentialRun.Watcher watcher =
                    new SequentialRun.Watcher() {
                        @Override
                        public void finished(RoundReport round) {
                            rounds.add(round);
                        }
                    };
            try (SequentialRun run = new SequentialRun(training, watcher)) {
                return new Run(run.run(), rounds);
            }
        }
    }

    private static TrainingBuilder counting(String attack, int attackers) {
        return FederatedRuns.run(3)
                .attack(Attacks.parse(attack), attackers)
                .plan(new SampledPlan(ASKED))
                .learningRate(LearningRate.parse("constant", 1, 3))
                .masking(RATES)
                .work(new Counting());
    }

    /** With a step of size 1, a round takes the mean off the model: all exact in float32. */
    private static float[] expected(Training training, List<RoundReport> rounds) {
        float[] model = training.model().initialParameters(training.seed());
        for (RoundReport round : rounds) {
            for (int j = 0; j < model.length && round.rows().length > 0; j++) {
                int sum = 0;
                int weights = 0;
                for (int device : round.rows()) {
                    sum += Counting.value(device, j);
                    weights += device + 1;
                }
                model[j] -= (float) ((double) sum / weights);
            }
        }
        return model;
    }

    @ParameterizedTest
    @CsvSource({"0, false", "1, false", "2, false", "3, true"})
    void theSumIsThatOfThoseWhoStayAtWhicheverStepOthersLeave(int after, boolean counted) {
        Training training = counting("silent(after=%d)".formatted(after), 5).build();
        Run run = Run.of(training);
        assertThat(run.rounds()).hasSize(3);
        for (RoundReport round : run.rounds()) {
            assertThat(round.rows()).hasSizeBetween(6, ASKED);
            assertThat(Arrays.stream(round.rows()).anyMatch(training::attacks)).isEqualTo(counted);
        }
        assertThat(run.outcome().parameters()).isEqualTo(expected(training, run.rounds()));
    }

    @Test
    void aRoundThatTooManyLeaveChangesNothing() {
        Training training = counting("silent(after=1)", 12).build();
        Run run = Run.of(training);
        assertThat(run.rounds()).hasSize(3);
        assertThat(run.rounds()).anyMatch(round -> round.rows().length == 0);
        assertThat(run.outcome().parameters()).isEqualTo(expected(training, run.rounds()));
    }

    /** The mean of differences that are clipped and weighed is that of a run in the open. */
    @Test
    void aFederationLearnsWhatItLearnsInTheOpen() {
        Federation open = FederatedRuns.averaging("uniform", ASKED, new LocalSteps.Steps(3));
        Federation summed = open.with(Privacy.NONE.with(RATES));
        TrainingBuilder run = FederatedRuns.run(4);
        float[] expected = Run.of(open.of(run.build())).outcome().parameters();
        float[] learned = Run.of(summed.of(run.build())).outcome().parameters();
        assertThat(learned).usingComparatorWithPrecision(2e-5f).containsExactly(expected);
        assertThat(learned).isNotEqualTo(expected);
    }

    /**
     * Of ten asked, six are sure to stay, and two of them may collude and subtract their own noise:
     * each adds a fourth of the variance.
     */
    @Test
    void theNoiseOfASumIsThatOfTheFewestHonestDevicesWhoStay() {
        Masking colluding = new Masking.Recoverable(SumRates.parse("dropout=0.4,collude=0.2"));
        Privacy noisy = new Privacy(0.5, 2, 1e-5).with(colluding);
        Privacy clipped = new Privacy(0.5, 0, 1e-5).with(RATES);
        Federation base =
                new Federation(
                        new Participation(Sampling.parse("uniform"), ASKED, Weighting.EQUAL),
                        LocalTraining.sgd(new LocalSteps.Steps(3), 0.05),
                        ServerSteps.parse("sgd", 1));
        TrainingBuilder run = FederatedRuns.run(1);
        float[] without = Run.of(base.with(clipped).of(run.build())).outcome().parameters();
        float[] with = Run.of(base.with(noisy).of(run.build())).outcome().parameters();
        double squares = 0;
        for (int i = 0; i < with.length; i++) {
            squares += Math.pow(with[i] - without[i], 2);
        }
        double deviation = 2 * 0.5 * Math.sqrt(ASKED / 4.0) / ASKED;
        assertThat(Math.sqrt(squares / with.length) / deviation).isCloseTo(1, within(0.1));
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> counting("sign-flip", 2).build())
                .hasMessage(
                        "attack sign-flip changes contributions on their way, where secureSum has"
                                + " masked them; silent and label-flip do not");
        assertThatThrownBy(() -> counting("silent(after=2)", 2).masking(Masking.NONE).build())
                .hasMessageContaining("leaves during a secure sum: it needs secureSum");
        assertThatThrownBy(
                        () ->
                                counting("none", 0)
                                        .masking(
                                                new Masking.Recoverable(
                                                        SumRates.parse("dropout=0.9")))
                                        .build())
                .hasMessageContaining("a secure sum needs 3 that stay");
        assertThatThrownBy(
                        () ->
                                FederatedRuns.averaging("uniform", ASKED, new LocalSteps.Steps(3))
                                        .with(new FairAveraging(1))
                                        .with(Privacy.NONE.with(RATES))
                                        .of(FederatedRuns.run(1).build()))
                .hasMessageContaining("secureSum with rates adds up");
    }
}
