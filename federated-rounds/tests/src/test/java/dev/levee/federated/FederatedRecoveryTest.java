package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.data.Partition;
import dev.levee.federated.compression.Compression;
import dev.levee.federated.devices.Capabilities;
import dev.levee.federated.devices.LocalTest;
import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.personal.Personal;
import dev.levee.federated.privacy.Privacy;
import dev.levee.federated.steps.AdaAlter;
import dev.levee.federated.steps.ControlVariates;
import dev.levee.federated.steps.LocalState;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.federated.steps.ServerSteps;
import dev.levee.gar.Attacks;
import dev.levee.learners.Models;
import dev.levee.operators.flink.Unsteady;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.securesum.Masking;
import dev.levee.operators.rounds.securesum.plan.SumRates;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;
import dev.levee.operators.testing.Disturbances;

import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.function.Function;

/** Federated runs that fail again and again end with the bits of runs that nobody disturbed. */
@Tag("cluster")
class FederatedRecoveryTest {
    private static final int FAILURES = 3;
    private static final int ROUNDS = 30;

    @RegisterExtension static final MiniClusterExtension CLUSTER = Recovered.cluster();

    /** Adam on the devices, whose moments stay with them; Yogi at the server. */
    private static Training kept(String sampling, String attack, String key) {
        return training(
                sampling,
                attack,
                key,
                new LocalTraining(
                        new LocalSteps.Steps(5),
                        true,
                        Optimizer.of(OptimizerKind.ADAM, 0),
                        LearningRate.parse("inverse(decay=0.01)", 0.01, ROUNDS),
                        0.1,
                        LocalState.KEEP));
    }

    /** AdaAlter on the devices, whose denominators the server averages. */
    private static Training averaged(String sampling, String attack, String key) {
        return training(
                sampling,
                attack,
                key,
                new LocalTraining(
                        new LocalSteps.Steps(5),
                        false,
                        new AdaAlter(1),
                        LearningRate.parse("constant", 0.5, ROUNDS),
                        0,
                        LocalState.AVERAGE));
    }

    /** SCAFFOLD's control variates: the devices' own and the server's. */
    private static Training corrected(String key) {
        return training(
                "uniform",
                "none",
                key,
                Weighting.EQUAL,
                LocalTraining.sgd(new LocalSteps.Steps(5), 0.05).with(new ControlVariates()));
    }

    /** Models of the devices' own. */
    private static Training personal(Personal personal, Compression compression, String key) {
        return training(
                "uniform",
                "none",
                key,
                Weighting.SAMPLES,
                LocalTraining.sgd(new LocalSteps.Steps(5), 0.05).with(personal),
                compression);
    }

    private static Training training(
            String sampling, String attack, String key, LocalTraining local) {
        return training(sampling, attack, key, Weighting.KL, local);
    }

    private static Training training(
            String sampling, String attack, String key, Weighting weighting, LocalTraining local) {
        return training(sampling, attack, key, weighting, local, Compression.NONE);
    }

    private static Training training(
            String sampling,
            String attack,
            String key,
            Weighting weighting,
            LocalTraining local,
            Compression compression) {
        Dataset data = Datasets.open(FederatedRuns.DATA, Datasets.Split.TRAIN);
        Federation federation =
                new Federation(
                                new Participation(
                                        Sampling.parse(sampling),
                                        4,
                                        Capabilities.parse("lognormal(0.5)"),
                                        weighting),
                                local,
                                ServerSteps.parse("yogi", 0.02))
                        .with(compression);
        return federation.of(
                FederatedRuns.run(ROUNDS)
                        .attack(Attacks.parse(attack), attack.equals("none") ? 0 : 6)
                        .runId("recover-" + sampling + "-" + key)
                        .partition(
                                new LocalTest(
                                        Partition.parse("fegan(max_class=4,max_samples=40)"), 0.2))
                        .model(
                                new Unsteady(
                                        Models.open("logistic", data.shape(), data.classes()), key))
                        .build());
    }

    @ParameterizedTest
    @CsvSource({"balanced, none", "poisson, little-is-enough(z=1.5)"})
    void failuresChangeNoBit(String sampling, String attack) throws Exception {
        check(key -> kept(sampling, attack, key));
    }

    @Test
    void failuresChangeNoBitOfWhatTravelsBehindTheModel() throws Exception {
        check(key -> averaged("uniform", "none", key));
    }

    @Test
    void failuresChangeNoBitOfCorrections() throws Exception {
        check(FederatedRecoveryTest::corrected);
    }

    /** Scores tell the devices' own models apart, which the server never has. */
    @ParameterizedTest
    @CsvSource({"ditto(lambda=0.5), topk(0.1)", "layers(bias), none"})
    void failuresChangeNoBitOfModelsAndErrorsOfTheDevicesOwn(String personal, String compression)
            throws Exception {
        Recovered runs =
                check(
                        key ->
                                personal(
                                        Personal.parse(personal),
                                        Compression.parse(compression),
                                        key));
        assertThat(runs.quiet().scores()).hasSizeGreaterThan(10);
        assertThat(runs.quiet().scores()).anyMatch(score -> score.ownLoss() != score.serverLoss());
    }

    /** Of six devices that a round asks, those among the last six of all leave after two steps. */
    private static Training summed(String key) {
        Dataset data = Datasets.open(FederatedRuns.DATA, Datasets.Split.TRAIN);
        Masking rates = new Masking.Recoverable(SumRates.parse("dropout=0.5"));
        return FederatedRuns.averaging("uniform", 6, new LocalSteps.Steps(5))
                .with(Privacy.NONE.with(rates))
                .of(
                        FederatedRuns.run(20)
                                .masking(rates)
                                .attack(Attacks.parse("silent(after=2)"), 6)
                                .runId("recover-sums-" + key)
                                .model(
                                        new Unsteady(
                                                Models.open(
                                                        "logistic", data.shape(), data.classes()),
                                                key))
                                .build());
    }

    /** Some rounds are complete, some have lost devices, and some are refused. */
    @Test
    void failuresChangeNoBitOfSecureSums() throws Exception {
        Recovered runs = Recovered.of(FAILURES, FederatedRecoveryTest::summed);
        List<Integer> rows =
                runs.quiet().rounds().stream().map(round -> round.rows().length).toList();
        assertThat(runs.disturbed().rounds().stream().map(round -> round.rows().length))
                .containsExactlyElementsOf(rows);
        assertThat(rows).contains(0).contains(4);
    }

    private static Recovered check(Function<String, Training> trainings) throws Exception {
        Recovered runs = Recovered.of(FAILURES, trainings);
        assertThat(runs.disturbed().rounds().stream().map(RoundReport::rows))
                .containsExactlyElementsOf(
                        runs.quiet().rounds().stream().map(RoundReport::rows).toList());
        runs.driven(
                5,
                Slices.of(runs.calm().model().layout()),
                Disturbances.delays(300).withCrashes(0.01, 0.002, 3));
        return runs;
    }
}
