package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.personal.Personal;
import dev.levee.federated.privacy.Privacy;
import dev.levee.federated.steps.ControlVariates;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.federated.steps.ServerSteps;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Gradient;
import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Segment;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

/** Models of the devices' own, by hand. */
class PersonalTest {
    private static final TwoParabolas PARABOLAS = new TwoParabolas(List.of(1, 2), List.of(0, 4));
    private static final TwoLayers LAYERS = new TwoLayers();

    /** One value in each of two layers; both begin at 8. */
    private record TwoLayers() implements Model {
        @Override
        public String name() {
            return "layers";
        }

        @Override
        public Layout layout() {
            return new Layout(
                    List.of(
                            new Segment("body.weight", new long[] {1}, 0, true),
                            new Segment("fc.weight", new long[] {1}, 1, true)));
        }

        @Override
        public float[] initialParameters(long seed) {
            return new float[] {8, 8};
        }

        @Override
        public Learner newLearner() {
            throw new UnsupportedOperationException("gradients are given");
        }
    }

    /** Gradients of one device, whose own samples are scored by the first value. */
    private interface Given extends Work.Gradients {
        @Override
        default Evaluation heldOut(float[] parameters) {
            return new Evaluation(3, -parameters[0], parameters[0]);
        }
    }

    private static LocalWork work(String personal, int steps, double rate, Model model) {
        return new LocalWork(
                LocalTraining.sgd(new LocalSteps.Steps(steps), rate).with(Personal.parse(personal)),
                new int[] {steps, steps},
                new double[] {1, 1},
                1,
                Privacy.NONE,
                5,
                new Upload.Difference(),
                false,
                model,
                false);
    }

    private static Work.Result round(
            LocalWork work,
            int device,
            long version,
            float[] x,
            Map<String, float[]> kept,
            Given gradients) {
        Settings settings = new Settings(Cohort.first(2), 0, 2, 4, 1, false, false, 0);
        Work.Task task = new Work.Task(0, device, version, settings, x, 0, kept, 0);
        return work.work(task, kept, x.length, gradients);
    }

    /** Device 0 has the gradient w, device 1 has 2(w − 4). */
    private static Given parabola(int device) {
        return (w, step) -> new Gradient(new float[] {device == 0 ? w[0] : 2 * (w[0] - 4)}, w[0]);
    }

    /** Each value is its own gradient. */
    private static final Given SQUARES = (w, step) -> new Gradient(w.clone(), w[0]);

    /**
     * K = 2, η = 1/4, λ = 1/2. Round 1 from x = 8. Device 0: 8 − 8/4 = 6, then 6 − (6 − 2/2)/4 =
     * 4.75. Device 1: 8 − 8/4 = 6, then 6 − (4 − 1)/4 = 5.25. They send 3.5 and 3, as without
     * Ditto, so x = 4.75. Round 2. Device 0: 4.75 − 4.75/4 = 3.5625, then 3.5625 − (3.5625 −
     * 0.59375)/4 = 2.8203125. Device 1: 5.25 − (2.5 + 0.25)/4 = 4.5625, then 4.5625 − (1.125 −
     * 0.09375)/4 = 4.3046875.
     */
    @Test
    void roundsOfDittoAreThoseOfThePaper() {
        LocalWork work = work("ditto(lambda=0.5)", 2, 0.25, PARABOLAS);
        float[] sent = {3.5f, 3};
        float[] first = {4.75f, 5.25f};
        float[] second = {2.8203125f, 4.3046875f};
        for (int device = 0; device < 2; device++) {
            Work.Result one = round(work, device, 0, new float[] {8}, Map.of(), parabola(device));
            assertThat(one.values()).containsExactly(sent[device]);
            assertThat(one.vectors().get("personal")).containsExactly(first[device]);
            assertThat(one.score().own()).isEqualTo(first[device]);
            assertThat(one.score().server()).isEqualTo(8);
            assertThat(one.score().samples()).isEqualTo(3);
            Work.Result two =
                    round(work, device, 1, new float[] {4.75f}, one.vectors(), parabola(device));
            assertThat(two.vectors().get("personal")).containsExactly(second[device]);
            assertThat(one.vectors().get("personal")).containsExactly(first[device]);
        }
    }

    /** Its model begins where the run did, whenever it is first asked. */
    @Test
    void aDeviceThatIsAskedLaterBeginsDittoAtTheFirstModel() {
        Work.Result late =
                round(
                        work("ditto(lambda=0)", 1, 0.25, PARABOLAS),
                        0,
                        3,
                        new float[] {4},
                        Map.of(),
                        parabola(0));
        assertThat(late.vectors().get("personal")).containsExactly(6);
        assertThat(late.values()).containsExactly(1);
    }

    @Test
    void theServersModelIsThatWithoutDitto() {
        Federation plain =
                new Federation(
                        new Participation(Sampling.parse("uniform"), 2, Weighting.EQUAL),
                        LocalTraining.sgd(new LocalSteps.Steps(2), 0.25),
                        ServerSteps.parse("sgd", 1));
        Federation ditto =
                new Federation(
                        plain.participation(),
                        plain.local().with(Personal.parse("ditto")),
                        plain.server());
        assertThat(PARABOLAS.after(1, ditto)).isEqualTo(4.75f);
        assertThat(PARABOLAS.after(5, ditto)).isEqualTo(PARABOLAS.after(5, plain));
    }

    /** η = 1/2: (8, 8) → (4, 4). If the body becomes 6, the device continues at (6, 4). */
    @ParameterizedTest
    @ValueSource(strings = {"layers(head)", "layers(fc)", "layers(fc.weight)", "layers"})
    void ownLayersStayOnTheDevice(String personal) {
        LocalWork work = work(personal, 1, 0.5, LAYERS);
        Work.Result one = round(work, 0, 0, new float[] {8, 8}, Map.of(), SQUARES);
        assertThat(one.values()).containsExactly(4, 0);
        assertThat(one.vectors().get("personal")).containsExactly(4);
        Work.Result two = round(work, 0, 1, new float[] {6, 8}, one.vectors(), SQUARES);
        assertThat(two.values()).containsExactly(3, 0);
        assertThat(two.vectors().get("personal")).containsExactly(2);
        assertThat(two.score().own()).isEqualTo(3);
        assertThat(two.score().server()).isEqualTo(6);
        assertThat(work.floats(training(LAYERS), 0)).isEqualTo(1);
    }

    /** The first step trains the head, 8 → 4, the second and third the body, 8 → 4 → 2. */
    @Test
    void headStepsTrainTheHeadAndTheOthersTheBody() {
        LocalWork work = work("layers(head, head-steps=1)", 3, 0.5, LAYERS);
        Work.Result one = round(work, 0, 0, new float[] {8, 8}, Map.of(), SQUARES);
        assertThat(one.values()).containsExactly(6, 0);
        assertThat(one.vectors().get("personal")).containsExactly(4);
    }

    /**
     * λ = 1, ρ = 1/2, η = 1/4. θ: 8 → 4 → 4 − (4 − 4)/2 = 4, w = 8 − (8 − 4)/4 = 7. Then θ: 4 − (4
     * − 3)/2 = 3.5 → 3.5, w = 7 − (7 − 3.5)/4 = 6.125.
     */
    @Test
    void moreauEnvelopesStepTowardTheDevicesModel() {
        Work.Result result =
                round(
                        work("pfedme(lambda=1, steps=2, rate=0.5)", 2, 0.25, PARABOLAS),
                        0,
                        0,
                        new float[] {8},
                        Map.of(),
                        parabola(0));
        assertThat(result.values()).containsExactly(1.875f);
        assertThat(result.score().own()).isEqualTo(3.5);
        assertThat(result.vectors()).isEmpty();
    }

    /** 8 → 4 → 2 → 1, on the batches 0, 1, 0. */
    @Test
    void fineTuningIsForTheScoreOnly() {
        float[] x = {8};
        Work.Result result =
                round(
                        work("finetune(steps=3, rate=0.5)", 2, 0.25, PARABOLAS),
                        0,
                        0,
                        x,
                        Map.of(),
                        (w, step) -> {
                            assertThat(step).isLessThan(2);
                            return new Gradient(w.clone(), 0);
                        });
        assertThat(result.score().own()).isEqualTo(1);
        assertThat(result.values()).containsExactly(3.5f);
        assertThat(result.vectors()).isEmpty();
        assertThat(x).containsExactly(8);
    }

    @Test
    void withoutAModelOfItsOwnADeviceScoresTheServers() {
        Work.Result result =
                round(
                        work("none", 2, 0.25, PARABOLAS),
                        0,
                        0,
                        new float[] {8},
                        Map.of(),
                        parabola(0));
        assertThat(result.score().own()).isEqualTo(result.score().server());
    }

    /** Federated evaluation: the model stays, and each device scores it. */
    @Test
    void withoutStepsADeviceOnlyScores() {
        LocalTraining none = LocalTraining.sgd(new LocalSteps.Steps(0), 0.25);
        Work.Result result =
                round(
                        work("none", 0, 0.25, PARABOLAS),
                        0,
                        0,
                        new float[] {8},
                        Map.of(),
                        (w, step) -> {
                            throw new AssertionError("nothing to train");
                        });
        assertThat(result.values()).containsExactly(0);
        assertThat(result.loss()).isNaN();
        assertThat(result.score().server()).isEqualTo(8);
        assertThat(PARABOLAS.after(3, with(none))).isEqualTo(8);
        assertThatThrownBy(
                        () -> with(none.with(Personal.parse("ditto"))).check(training(PARABOLAS)))
                .hasMessageContaining("localSteps 0 is for devices that score the model");
    }

    private static Training training(Model model) {
        return FederatedRuns.run(1).workers(2).model(model).build();
    }

    private static Federation with(LocalTraining local) {
        return new Federation(
                new Participation(Sampling.parse("uniform"), 2, Weighting.EQUAL),
                local,
                ServerSteps.parse("sgd", 1));
    }

    @Test
    void whatCannotBeIsRefused() {
        LocalTraining sgd = LocalTraining.sgd(new LocalSteps.Steps(2), 0.25);
        assertThatThrownBy(() -> Personal.parse("ditto(lambda=-1)"))
                .hasMessage("ditto needs a lambda of at least 0, got -1.0");
        assertThatThrownBy(() -> Personal.parse("pfedme(lambda=0)"))
                .hasMessage("pfedme needs a lambda above 0, got 0.0");
        assertThatThrownBy(() -> Personal.parse("fedbn"))
                .hasMessageStartingWith("unknown personal model fedbn: known are none, ditto");
        assertThatThrownBy(
                        () ->
                                with(sgd.with(Personal.parse("layers(head, head-steps=2)")))
                                        .check(training(LAYERS)))
                .isInstanceOf(WrongTrainingException.class)
                .hasMessageContaining("leaves no step for the shared layers");
        assertThatThrownBy(
                        () ->
                                with(sgd.with(Personal.parse("layers(head)"))
                                                .with(new ControlVariates()))
                                        .check(training(LAYERS)))
                .hasMessageContaining("is for devices without correction, got control-variates");
        assertThatThrownBy(() -> Personal.parse("layers(conv)").check(LAYERS.layout()))
                .hasMessage(
                        "personal layers(conv) needs head or names of layers, which are body, fc;"
                                + " got conv");
        assertThatThrownBy(() -> Personal.parse("layers(head)").check(PARABOLAS.layout()))
                .hasMessageContaining("of 1 trained values it keeps 1");
    }
}
