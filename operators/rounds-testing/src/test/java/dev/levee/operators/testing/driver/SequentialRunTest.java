package dev.levee.operators.testing.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.sequential.SequentialRun;
import dev.levee.operators.rounds.topology.Contraction;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Failover;
import dev.levee.operators.rounds.topology.Graph;
import dev.levee.operators.rounds.topology.Reading;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.DrivenRun;
import dev.levee.operators.testing.LearnedGradients;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;

class SequentialRunTest {
    private static final String DATA = "strokes:?train=600&test=200&seed=1";

    private static TrainingBuilder training(String rule, String attack) {
        Dataset data = Datasets.open(DATA, Datasets.Split.TRAIN);
        return new TrainingBuilder(
                        "sequential",
                        DATA,
                        Models.open("logistic", data.shape(), data.classes()),
                        Rules.parse(rule),
                        7,
                        2)
                .attack(Attacks.parse(attack), 2)
                .batchSize(8)
                .learningRate(LearningRate.parse("constant", 0.1, 30))
                .work(new GradientWork(0.9))
                .optimizer(Optimizer.of(OptimizerKind.SGD, 0))
                .rounds(30)
                .evalInterval(10)
                .roundTimeout(Duration.ofSeconds(30));
    }

    private static final class Seen implements SequentialRun.Watcher {
        private final List<Double> losses = new ArrayList<>();
        private final List<Long> evaluated = new ArrayList<>();
        private int validated;

        @Override
        public void finished(RoundReport round) {
            losses.add(round.loss());
        }

        @Override
        public void evaluated(long rounds, Evaluation test, Evaluation validation) {
            evaluated.add(rounds);
            validated += validation == null ? 0 : 1;
        }
    }

    private static SequentialRun.Outcome run(Training training, Seen seen) {
        try (SequentialRun run = new SequentialRun(training, seen)) {
            return run.run();
        }
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({
        "multi-krum, little-is-enough",
        "nnm | trimmed-mean, optimal-fall-of-empires",
        "centered-clipping, mimic",
        "zeno, random",
        "median, label-flip",
        "trimmed-mean, silent",
        "average, nan"
    })
    void endsWithTheBitsOfTheProtocolInVirtualTime(String rule, String attack) {
        check(training(rule, attack).build());
    }

    /** Servers that exchange models, some of which lie, and nodes that have one each. */
    static Stream<Topology> topologies() {
        Exchange waiting = new Exchange(Rules.parse("median"), 1);
        Exchange lying =
                new Exchange(
                        Rules.parse("median"),
                        1,
                        2,
                        Contraction.NONE,
                        new Attackers(Attacks.parse("little-is-enough"), 1));
        return Stream.of(
                Topology.replicas(4, lying),
                new Topology(3, Reading.PER_SERVER, waiting),
                Topology.decentralised(7, new Exchange(Rules.parse("median"), 2)),
                Topology.gossip(7, new Exchange(Rules.parse("median"), 1), Graph.parse("ring")),
                Topology.crashTolerant(
                        3,
                        new Failover(
                                Failover.TIMEOUT,
                                List.of(new Failover.Crash(0, 11)),
                                Attackers.NONE)));
    }

    @ParameterizedTest
    @MethodSource("topologies")
    void soDoSeveralServers(Topology topology) {
        boolean local = topology.local();
        check(
                training("median", local ? "none" : "sign-flip")
                        .attack(local ? null : Attacks.parse("sign-flip"), local ? 0 : 2)
                        .topology(topology)
                        .build());
    }

    private static void check(Training training) {
        Seen seen = new Seen();
        SequentialRun.Outcome outcome = run(training, seen);
        DrivenRun driven;
        try (LearnedGradients gradients = new LearnedGradients(training)) {
            driven =
                    RoundDriver.of(training, 3)
                            .gradients(gradients)
                            .disturbances(Disturbances.delays(500))
                            .run();
        }
        assertThat(outcome.parameters()).isEqualTo(driven.parameters());
        assertThat(seen.losses).isEqualTo(driven.rounds().stream().map(RoundReport::loss).toList());
        assertThat(seen.evaluated).containsExactly(0L, 10L, 20L, 30L);
        assertThat(seen.validated).isZero();
    }

    @Test
    void samplesForValidationAreEvaluatedAndNotTrainedOn() {
        Training training = training("median", "random").dataset(DATA + "&validation=0.25").build();
        Seen seen = new Seen();
        SequentialRun.Outcome outcome = run(training, seen);
        assertThat(seen.validated).isEqualTo(4);
        assertThat(outcome.parameters())
                .isNotEqualTo(run(training("median", "random").build(), new Seen()).parameters());
    }

    @Test
    void aRunWithMoreFaultsThanToleratedSaysSo() {
        Training training = training("average", "nan").byzantine(1).build();
        assertThatThrownBy(() -> run(training, new Seen()))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("round 0");
    }

    @Test
    void anInterruptEndsIt() {
        Training training = training("average", "random").build();
        try {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> run(training, new Seen()))
                    .isInstanceOf(CancellationException.class);
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void roundsThatDependOnWhoIsFasterAreRefused() {
        Training training = training("average", "random").quorum(5).build();
        assertThatThrownBy(() -> new SequentialRun(training, new Seen()))
                .isInstanceOf(WrongTrainingException.class)
                .hasMessage(
                        "quorum below the number of workers needs a job of its own, because its"
                                + " rounds depend on which workers are faster");
    }
}
