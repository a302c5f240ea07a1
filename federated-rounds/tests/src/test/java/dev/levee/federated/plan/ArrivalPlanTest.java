package dev.levee.federated.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.federated.FederatedRun;
import dev.levee.federated.Federation;
import dev.levee.federated.LocalTraining;
import dev.levee.federated.Timing;
import dev.levee.federated.WithoutBarrier;
import dev.levee.federated.devices.Capabilities;
import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.steps.LocalState;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.federated.steps.ServerSteps;
import dev.levee.gar.Aggregator;
import dev.levee.gar.Rules;
import dev.levee.gar.rules.Pipeline;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Devices that come as they come; by hand where the pages of fedasync and fedbuff have numbers. */
class ArrivalPlanTest {
    private static final StalenessWeight ROOT = StalenessWeight.parse("polynomial(0.5)");

    private static Training run(int devices, int f) {
        return run(devices, f, 20);
    }

    private static Training run(int devices, int f, long rounds) {
        return new TrainingBuilder(
                        "arrivals",
                        "strokes:?train=200&test=50",
                        Models.open("logistic", new int[] {1, 28, 28}, 10),
                        Rules.parse(f == 0 ? "average" : "median"),
                        devices,
                        f)
                .rounds(rounds)
                .build();
    }

    private static Federation federation(Timing timing, String server, boolean keep) {
        LocalTraining local = LocalTraining.sgd(new LocalSteps.Steps(3), 0.1);
        return new Federation(
                        new Participation(Sampling.parse("uniform"), 1, Weighting.EQUAL),
                        keep ? local.with(LocalState.KEEP) : local,
                        ServerSteps.parse(server, 0.6))
                .with(timing);
    }

    private static Federation federation(Asynchrony asynchrony, String server, boolean keep) {
        return federation(new WithoutBarrier.Arriving(asynchrony), server, keep);
    }

    private static Timing recorded(DecisionLog log) {
        return new WithoutBarrier.Recorded(new Asynchrony(1, ROOT, 9), log);
    }

    @Test
    void staleRowsCountLessInAMeanOverAll() {
        Pipeline faded = new Pipeline(List.of(new Fading(ROOT)), Rules.parse("average"));
        float[][] rows = {{1}, {2}};
        float[] mean =
                new Aggregator(faded, 0, 1)
                        .aggregate(rows, round -> round.withAges(new int[] {0, 3}));
        assertThat(mean).containsExactly((1 + 0.5f * 2) / 2);
        assertThat(new Aggregator(faded, 0, 1).aggregate(rows)).containsExactly(1.5f);
    }

    @Test
    void aStaleModelIsMixedInLess() {
        Training training = federation(new Asynchrony(1, ROOT, 20), "mix", false).of(run(5, 0));
        Settings settings = training.plan().at(training, 7);
        assertThat(settings.learningRate()).isEqualTo(0.6);
        assertThat(training.plan().stepSize(settings, 7, new long[] {4})).isEqualTo(0.3);
        assertThat(training.plan().stepSize(settings, 7, new long[] {7})).isEqualTo(0.6);
    }

    @Test
    void aRoundTakesKOfAllDevices() {
        Training training = federation(new Asynchrony(3, ROOT, 9), "sgd", false).of(run(5, 1));
        Settings settings = training.plan().at(training, 1);
        assertThat(settings.asked()).containsExactly(0, 1, 2, 3, 4);
        assertThat(settings.quorum()).isEqualTo(3);
        assertThat(training.admission().most()).isEqualTo(3);
        assertThat(training.admission().staleness()).isEqualTo(9);
        assertThat(FederatedRun.of(training).byArrival()).isTrue();
    }

    /** 40 samples each, three batches of 100: version 4 begins where four versions would end. */
    @Test
    void whatADeviceDrawsFollowsFromTheVersion() {
        Asynchrony asynchrony = new Asynchrony(1, ROOT, 9);
        Training pulling = federation(asynchrony, "sgd", false).of(run(5, 0));
        assertThat(pulling.work().samplesBefore(2, 4, 100, 700)).isEqualTo(4 * 3 * 100);
        Training keeping = federation(asynchrony, "sgd", true).of(run(5, 0));
        assertThat(keeping.work().samplesBefore(2, 4, 100, 700)).isEqualTo(700);
    }

    @Test
    void aRecordedRoundTakesWhatItTook() {
        DecisionLog log =
                new DecisionLog(
                        List.of(new TreeMap<>(Map.of(3, 0L)), new TreeMap<>(Map.of(1, 0L))));
        Training training = federation(recorded(log), "mix", false).of(run(5, 0, 2));
        Settings first = training.plan().at(training, 0);
        assertThat(first.asked()).containsExactly(1, 3);
        assertThat(first.cohort().ids()).containsExactly(3);
        assertThat(first.pulls().due(1)).isEqualTo(1);
        Settings second = training.plan().at(training, 1);
        assertThat(second.asked()).isEmpty();
        assertThat(second.base(1, 0)).isZero();
        assertThat(second.learningRate()).isEqualTo(0.6 * ROOT.at(1));
        assertThat(training.plan().at(training, 2).stop()).isTrue();
    }

    /** A checkpoint keeps the pulls of its versions, so more rounds after it get all their rows. */
    @Test
    void pullsInVirtualTimeDoNotDependOnTheNumberOfRounds() {
        Timing timing =
                new WithoutBarrier.Pulled(
                        new Asynchrony(1, ROOT, 9),
                        new VirtualTime(new Capabilities.LogNormal(1), 1));
        Federation three =
                new Federation(
                                new Participation(Sampling.parse("uniform"), 3, Weighting.EQUAL),
                                LocalTraining.sgd(new LocalSteps.Steps(3), 0.1),
                                ServerSteps.parse("sgd", 0.6))
                        .with(timing);
        Training few = three.of(run(5, 0, 4));
        Training many = three.of(run(5, 0, 20));
        for (int round = 0; round < 4; round++) {
            assertThat(few.plan().at(few, round).pulls())
                    .isEqualTo(many.plan().at(many, round).pulls());
        }
        assertThat(few.plan().at(few, 4).asked()).isEmpty();
    }

    private static void assertRefused(Timing timing, boolean keep, int f, String sentence) {
        assertThatThrownBy(() -> federation(timing, "sgd", keep).of(run(5, f)))
                .isInstanceOf(WrongTrainingException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void refusesInOneSentence() {
        DecisionLog log = new DecisionLog(List.of(new TreeMap<>(Map.of(9, 0L))));
        Timing fresh = new WithoutBarrier.Arriving(new Asynchrony(1, ROOT, 0));
        assertRefused(fresh, false, 0, "must be at least 1");
        Timing many = new WithoutBarrier.Arriving(new Asynchrony(4, ROOT, 9));
        assertRefused(many, false, 2, "cannot block a version");
        assertRefused(recorded(log), true, 0, "does not contain devices' state");
        assertRefused(recorded(log), false, 0, "has 1 rounds");
    }
}
