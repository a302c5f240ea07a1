package dev.levee.operators.rounds.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.levee.connectors.data.Partition;
import dev.levee.gar.Attacks;
import dev.levee.gar.Look;
import dev.levee.gar.Rules;
import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.plan.Elasticity;
import dev.levee.operators.rounds.plan.SampledPlan;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Failover;
import dev.levee.operators.rounds.topology.Graph;
import dev.levee.operators.rounds.topology.Topology;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A training that cannot run is refused as it is built, whoever builds it. */
class TrainingTest {
    /** Eleven workers of whom three may lie, as the command line has it. */
    private static TrainingBuilder usual() {
        return new TrainingBuilder("testrun1", "strokes:", null, Rules.parse("multi-krum"), 11, 3);
    }

    private static Elasticity elastic(int min, int max, long maxBatch) {
        return new Elasticity(min, max, maxBatch, 0, 0.1, null);
    }

    private static Topology crashing(Failover.Crash... crashes) {
        return Topology.crashTolerant(
                3, new Failover(Failover.TIMEOUT, List.of(crashes), Attackers.NONE));
    }

    private static Arguments wrong(String sentence, UnaryOperator<TrainingBuilder> change) {
        return Arguments.of(sentence, change);
    }

    static Stream<Arguments> wrongTrainings() {
        return Stream.of(
                wrong(
                        "runId must be 1 to 64 letters, digits or hyphens, got ../etc",
                        run -> run.runId("../etc")),
                wrong("dataset must be the URI of a data set, got null", run -> run.dataset(null)),
                wrong("batchSize must be at least 1, got 0", run -> run.batchSize(0)),
                wrong("rounds must be at least 0, got -1", run -> run.rounds(-1)),
                wrong("evalInterval must be at least 1, got 0", run -> run.evalInterval(0)),
                wrong("computeThreads must be at least 1, got 0", run -> run.computeThreads(0)),
                wrong("workers must be at least 1, got 0", run -> run.workers(0).quorum(1)),
                wrong("byzantine must not be negative, got -1", run -> run.byzantine(-1)),
                wrong(
                        "byzantine must be below workers, which is 11, got 11",
                        run -> run.byzantine(11)),
                wrong(
                        "quorum must be above f = 3, so that Byzantine workers alone cannot close a round, got 2",
                        run -> run.rule(Rules.parse("average")).workers(5).quorum(2)),
                wrong(
                        "attackers must not be negative, got -1",
                        run -> run.attack(Attacks.parse("random"), -1)),
                wrong(
                        "attackers must be at most workers, which is 11, got 12",
                        run -> run.attack(Attacks.parse("random"), 12)),
                wrong(
                        "killServer must name a server below servers, which is 3, got 3",
                        run -> run.topology(crashing(new Failover.Crash(3, 1)))),
                wrong(
                        "killServer must leave one of the 3 servers running",
                        run ->
                                run.topology(
                                        crashing(
                                                new Failover.Crash(0, 1),
                                                new Failover.Crash(1, 2),
                                                new Failover.Crash(2, 3)))),
                wrong(
                        "serverAttack: mimic: the honest row i must be below the number of honest"
                                + " rows, which is 1, got 1",
                        run ->
                                run.topology(
                                        Topology.crashTolerant(
                                                2,
                                                new Failover(
                                                        Failover.TIMEOUT,
                                                        List.of(),
                                                        new Attackers(
                                                                Attacks.parse("mimic(1)"), 1))))),
                wrong(
                        "quorum must be workers, which is 11, where a gradient is for several"
                                + " servers, got 9",
                        run -> run.byzantine(2).quorum(9).topology(crashing())),
                wrong("quorum must be at least 1, got 0", run -> run.quorum(0)),
                wrong("quorum must be at most workers, which is 11, got 12", run -> run.quorum(12)),
                wrong(
                        "quorum must be at most n − f = 8 so that 3 silent Byzantine workers cannot"
                                + " block a round, or n = 11 for synchronous rounds, got 9",
                        run -> run.quorum(9)),
                wrong(
                        "rule multi-krum needs n ≥ 2f + 3: with f = 5 that is 13 workers, got 11",
                        run -> run.byzantine(5)),
                wrong(
                        "rule multi-krum needs n ≥ 2f + 3: with f = 3 that is a quorum of 9, got 8",
                        run -> run.quorum(8)),
                wrong(
                        "rule multi-krum needs n ≥ 2f + 3: with f = 3 that is 9 workers, got 8",
                        run -> run.plan(new SampledPlan(8))),
                wrong(
                        "attack silent needs roundTimeout or a quorum of at most 8: 3 of 11 workers"
                                + " never answer, so rounds that wait for 11 would never end",
                        run -> run.attack(Attacks.parse("silent"), 3)),
                wrong(
                        "attack: mimic: the honest row i must be below the number of honest rows,"
                                + " which is 8, got 8",
                        run -> run.attack(Attacks.parse("mimic(8)"), 3)),
                wrong(
                        "plan: participants per round must be at least 1, got 0",
                        run -> run.plan(new SampledPlan(0))),
                wrong(
                        "roundTimeout must be above 0, got PT0S",
                        run -> run.roundTimeout(Duration.ZERO)),
                wrong("nonFinite must be REJECT or KEEP, got null", run -> run.nonFinite(null)),
                wrong("rowsHeld must not be negative, got -1", run -> run.rowsHeld(-1)),
                wrong("servers must be at least 1, got 0", run -> run.topology(new Topology(0))),
                wrong(
                        "learningRate must be a finite number of at least 0 in round 0, got NaN",
                        run -> run.learningRate(LearningRate.parse("constant", Double.NaN, 1))),
                wrong("optimizer must be one such as sgd, got null", run -> run.optimizer(null)),
                wrong(
                        "momentum must be a number of at least 0 and below 1, got 1.0",
                        run -> run.work(new GradientWork(1))),
                wrong(
                        "oracle is for rules that need scores, which multi-krum does not need",
                        run -> run.oracle(Oracle.heldOut())),
                wrong(
                        "oracle batch must be at least 1, got 0",
                        run -> run.rule(Rules.parse("zeno")).oracle(new Oracle(null, 0))));
    }

    static Stream<Arguments> wrongElasticTrainings() {
        return Stream.of(
                wrong(
                        "elastic must satisfy 1 ≤ min ≤ max, got min 9, max 8",
                        run -> run.plan(elastic(9, 8, 5000))),
                wrong(
                        "elastic max must be at most 256, got 999",
                        run -> run.plan(elastic(9, 999, 5000))),
                wrong(
                        "workers must be within elastic min=9,max=10, because the run starts with"
                                + " them, got 11",
                        run -> run.plan(elastic(9, 10, 5000))),
                wrong(
                        "elastic max-batch must be at least workers × batchSize = 1100, got 1000",
                        run -> run.plan(elastic(9, 16, 1000))),
                wrong(
                        "elastic needs synchronous rounds, or a quorum that is a share of the workers such as 80%, got 9",
                        run -> run.byzantine(1).quorum(9).plan(elastic(9, 16, 5000))),
                wrong(
                        "elastic needs partition iid, because workers that come and go share all"
                                + " data, got by-class",
                        run ->
                                run.partition(Partition.parse("by-class"))
                                        .plan(elastic(9, 16, 5000))),
                wrong(
                        "attackers must be fewer than min of elastic, which is 3: attackers and at"
                                + " least one honest worker must always run, got 3",
                        run -> run.attack(Attacks.parse("random"), 3).plan(elastic(3, 16, 5000))),
                wrong(
                        "elastic min must be at least 9, which multi-krum needs with f = 3, got 8",
                        run -> run.plan(elastic(8, 16, 5000))),
                wrong(
                        "attack with min of elastic: mimic: the honest row i must be below the"
                                + " number of honest rows, which is 6, got 6",
                        run -> run.attack(Attacks.parse("mimic(6)"), 3).plan(elastic(9, 16, 5000))),
                wrong(
                        "elastic needs one server, because each of several would decide the"
                                + " next round, got 2 servers",
                        run -> run.topology(new Topology(2)).plan(elastic(9, 16, 5000))),
                wrong(
                        "workerMemory cannot be measured for a TorchScript file: leave it out",
                        run ->
                                run.model(new Script())
                                        .plan(new Elasticity(9, 16, 5000, 1 << 30, 0.1, null))));
    }

    private static Topology star(String rule) {
        return Topology.gossip(
                11, new Exchange(Rules.parse(rule), 0), new Graph(Graph.Kind.STAR, 0));
    }

    /** What would be thrown in round 0, on every restart, is said before the start. */
    static Stream<Arguments> rulesThatRefuseTheirRounds() {
        return Stream.of(
                wrong(
                        "rule: smea chooses among 2035800 subsets with n = 30 and f = 7, but at most"
                                + " 200000 are allowed",
                        run -> run.rule(Rules.parse("smea")).workers(30).quorum(30).byzantine(7)),
                wrong(
                        "rule: smea chooses among 2035800 subsets with n = 30 and f = 7, but at most"
                                + " 200000 are allowed",
                        run -> run.rule(Rules.parse("smea")).workers(30).quorum(22).byzantine(7)),
                wrong(
                        "elastic allows rounds of 23 workers: smea chooses among 245157 subsets with"
                                + " n = 23 and f = 7, but at most 200000 are allowed",
                        run ->
                                run.rule(Rules.parse("smea"))
                                        .workers(16)
                                        .quorum(16)
                                        .byzantine(7)
                                        .plan(elastic(16, 30, 5000))),
                wrong(
                        "rule monna(trusted=w99) trusts w99, but the workers that take part in every"
                                + " round are w0 to w10",
                        run -> run.rule(Rules.parse("monna(trusted=w99)"))),
                wrong(
                        "rule nnm | monna trusts w0, but the workers that take part in every round"
                                + " are none",
                        run -> run.rule(Rules.parse("nnm | monna")).plan(new SampledPlan(8))),
                wrong(
                        "rule monna(trusted=w9) trusts w9, but the workers that take part in every"
                                + " round are w0 to w8",
                        run ->
                                run.rule(Rules.parse("monna(trusted=w9)"))
                                        .plan(elastic(9, 16, 5000))),
                wrong(
                        "serverAggregator: smea chooses among 2035800 subsets with n = 30 and f = 7,"
                                + " but at most 200000 are allowed",
                        run ->
                                run.topology(
                                        Topology.replicas(
                                                30, new Exchange(Rules.parse("smea"), 7)))),
                wrong(
                        "rule monna(trusted=w13) trusts w13, but node 1 always hears only w11, w12",
                        run -> run.topology(star("monna(trusted=w13)"))));
    }

    /** Node 0 is heard by all, and every node trusts itself by default. */
    @Test
    void whoIsAlwaysHeardMayBeTrusted() {
        usual().topology(star("monna(trusted=w11)")).build();
        usual().topology(star("nnm | monna")).build();
        usual().rule(Rules.parse("monna(trusted=w10)")).build();
    }

    static Stream<Arguments> wrongGossip() {
        return Stream.of(
                wrong(
                        "rule cap-weights(2) | clipped-gossip changes the mixing weights of a graph,"
                                + " which preserve the mean of all nodes: leave cap-weights out",
                        run -> run.topology(star("cap-weights(2) | clipped-gossip"))));
    }

    /** Node 1 of a star has one neighbor, and node 0 has ten: w01 = 1/11, times 2. */
    @Test
    void nodesOfAGraphKeepTheirMixingWeightsBehindAnyStep() {
        Topology clipped = star("clip(2) | clipped-gossip");
        assertThat(clipped.weight(1, 0, 1)).isEqualTo(2.0 / 11);
        usual().topology(clipped).build();
    }

    @ParameterizedTest
    @MethodSource({
        "wrongTrainings",
        "wrongElasticTrainings",
        "wrongGossip",
        "rulesThatRefuseTheirRounds"
    })
    void eachWrongTrainingIsNamedInOneSentence(
            String sentence, UnaryOperator<TrainingBuilder> change) {
        usual().build();
        assertThatThrownBy(() -> change.apply(usual()).build())
                .isInstanceOf(WrongTrainingException.class)
                .hasMessage(sentence);
    }

    @Test
    void whoeverHasOtherNamesForThePartsHasTheSameSentence() {
        WrongTrainingException wrong =
                catchThrowableOfType(
                        WrongTrainingException.class, () -> usual().byzantine(11).build());
        assertThat(wrong.naming(part -> "the option " + part))
                .isEqualTo(
                        "the option byzantine must be below the option workers, which is 11, got"
                                + " 11");
    }

    @Test
    void withoutAnAttackNobodyAttacks() {
        assertThat(usual().attack(null, 3).build().attackers()).isEqualTo(Attackers.NONE);
    }

    private record Script() implements Model {
        @Override
        public String name() {
            return "file:m.pt";
        }

        @Override
        public Layout layout() {
            throw new UnsupportedOperationException();
        }

        @Override
        public float[] initialParameters(long seed) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Learner newLearner() {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void pairsOfManyRowsAreMeasuredWhenTheRoundCloses() {
        Admission inStep = usual().build().admission();
        assertThat(inStep.measured(Look.DISTANCES, 32, 1)).isEqualTo(Look.DISTANCES);
        assertThat(inStep.measured(Look.DISTANCES, 33, 1)).isEqualTo(Look.NOTHING);
        assertThat(inStep.measured(Look.DISTANCES, 11, 3)).isEqualTo(Look.NOTHING);
        assertThat(inStep.measured(Look.NORMS, 1000, 100)).isEqualTo(Look.NORMS);
    }
}
