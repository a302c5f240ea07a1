package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.report.ExchangeReport;
import dev.levee.operators.rounds.report.Takeover;
import dev.levee.operators.rounds.topology.Contraction;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Failover;
import dev.levee.operators.rounds.topology.Graph;
import dev.levee.operators.rounds.topology.Reading;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.ServerResult;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.testing.DrivenRun;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.driver.RoundDriver;

import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** Several servers, of which some lie, in one job: what they end with, and after failures too. */
@Tag("cluster")
class ReplicatedServersTest {
    private static final int WORKERS = 7;
    private static final int ROUNDS = 40;
    private static final int WEIGHTS = 9000;
    private static final int BUFFERS = 1000;

    /** Two blocks, which arrive and fail one by one. */
    private static final int MANY_WEIGHTS = 139_000;

    private static final int LARGE_ROUNDS = 14;

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(2)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    private static Training training(String name, Topology topology) {
        return new TrainingBuilder(Trainings.logistic(WORKERS, 1, "multi-krum", ROUNDS))
                .runId(name)
                .model(new Unsteady(new Quadratic(WEIGHTS + BUFFERS, BUFFERS), name))
                .attack(Attacks.parse("little-is-enough"), 1)
                .batchSize(1)
                .topology(topology)
                .evalInterval(20)
                .build();
    }

    private static Training large(String name, Topology topology) {
        return new TrainingBuilder(training(name, topology))
                .model(new Unsteady(new Quadratic(MANY_WEIGHTS + BUFFERS, BUFFERS), name))
                .rounds(LARGE_ROUNDS)
                .evalInterval(LARGE_ROUNDS / 2)
                .build();
    }

    private static Topology lying(String attack) {
        return Topology.replicas(
                3,
                new Exchange(
                        Rules.parse("median"),
                        1,
                        1,
                        Contraction.NONE,
                        new Attackers(Attacks.parse(attack), 1)));
    }

    private static RunResult run(Training training, int failures) throws Exception {
        return Restarts.disturbed(training.runId(), failures, training, 2);
    }

    /** Honest servers have the same gradients, and more than half of three models are theirs. */
    @Test
    void behindAMedianALyingServerChangesNothing() throws Exception {
        float[] alone = run(training("oneserver", Topology.ONE), 0).parameters();
        RunResult result = run(training("reversedserver", lying("reversed")), 0);
        assertThat(result.servers()).hasSize(3);
        for (ServerResult each : result.servers().subList(0, 2)) {
            assertThat(Arrays.equals(each.parameters(), alone)).isTrue();
            assertThat(each.roundCount()).isEqualTo(ROUNDS);
            assertThat(each.rounds().stream().mapToLong(RoundReport::round))
                    .containsExactlyElementsOf(LongStream.range(0, ROUNDS).boxed().toList());
            assertThat(each.exchanges().stream().mapToLong(ExchangeReport::iteration))
                    .containsExactly(19L, 39L);
            ExchangeReport last = each.exchanges().get(1);
            assertThat(last.heard()).containsExactly(0, 1, 2);
            assertThat(last.distances()[0]).isZero();
            assertThat(last.distances()[1]).isZero();
            // It tells its model times -100, which else is theirs.
            assertThat(last.distances()[2])
                    .isCloseTo(
                            101 * norm(Arrays.copyOf(alone, WEIGHTS)),
                            Percentage.withPercentage(0.001));
        }
    }

    private static double norm(float[] values) {
        double sum = 0;
        for (float each : values) {
            sum += (double) each * each;
        }
        return Math.sqrt(sum);
    }

    /**
     * Each server, and each worker, continues with the first three models of four, whichever these
     * are. Honest ones get the same gradients, so any three have the same median, failures or not.
     */
    @Test
    void whoWaitsForThreeOfFourServersEndsWithTheBitsOfOne() throws Exception {
        float[] alone = run(large("waitsfornone", Topology.ONE), 0).parameters();
        Exchange three = lying("reversed").exchange().closingWith(3);
        RunResult result = run(large("firstthree", Topology.replicas(4, three)), 3);
        for (ServerResult each : result.servers().subList(0, 3)) {
            assertThat(Arrays.equals(each.parameters(), alone)).isTrue();
            assertThat(each.roundCount()).isEqualTo(LARGE_ROUNDS);
        }
        checkExchanges(result, 3);
    }

    /** With first gradients and first models no two runs are alike, but each keeps its promises. */
    @Test
    void serversThatWaitForNobodyComeThroughFailures() throws Exception {
        Exchange three = lying("reversed").exchange().closingWith(3);
        Training training =
                new TrainingBuilder(
                                large("nobodywaits", new Topology(4, Reading.PER_SERVER, three)))
                        .quorum(WORKERS - 1)
                        .build();
        RunResult result = run(training, 3);
        for (ServerResult each : result.servers()) {
            assertThat(each.roundCount()).isEqualTo(LARGE_ROUNDS);
            assertThat(each.rounds()).allMatch(round -> round.rows().length >= WORKERS - 1);
        }
        checkExchanges(result, 3);
        // A lie that is believed is a hundred times as far away, with ten thousand times the loss.
        // The noise of the gradients alone is at ten times the first loss in one run of fifty.
        assertThat(loss(result)).isLessThan(1000 * result.evaluations().get(0).loss());
    }

    /** Each closed with at least so many models, the server's own among them. */
    private static void checkExchanges(RunResult result, int quorum) {
        for (int server = 0; server < result.servers().size(); server++) {
            int own = server;
            List<ExchangeReport> exchanges = result.servers().get(server).exchanges();
            assertThat(exchanges).hasSize(2);
            for (ExchangeReport each : exchanges) {
                assertThat(each.heard()).hasSizeGreaterThanOrEqualTo(quorum).contains(own);
            }
        }
    }

    /** What a median stands, the mean of all models does not. */
    @Test
    void behindAMeanALyingServerRuinsAll() throws Exception {
        Exchange mean =
                new Exchange(
                        Rules.parse("average"),
                        0,
                        1,
                        Contraction.NONE,
                        new Attackers(Attacks.parse("reversed(c=2)"), 1));
        Training lied = training("meanofmodels", Topology.replicas(3, mean));
        Training honest =
                training("honestservers", Topology.replicas(3, new Exchange(mean.rule(), 0)));
        assertThat(loss(lied)).isGreaterThan(2 * loss(honest));
    }

    private static double loss(Training training) throws Exception {
        return loss(run(training, 0));
    }

    private static double loss(RunResult result) {
        return result.evaluations().get(result.evaluations().size() - 1).loss();
    }

    /** Aggregates are contracted, models exchanged; nodes end where simulated ones do. */
    @Test
    void nodesEndWithTheModelsOfASimulatedRun() throws Exception {
        Exchange exchange =
                new Exchange(
                        Rules.parse("monna"),
                        1,
                        2,
                        new Contraction(1),
                        new Attackers(Attacks.parse("little-is-enough"), 1));
        Topology nodes = Topology.decentralised(WORKERS, exchange);
        equalsSimulated(new TrainingBuilder(training("nodes", nodes)).rounds(6).build(), 1);
    }

    /** Each hears two others: news takes three rounds to go round. */
    @Test
    void nodesOfAGraphEndWithTheModelsOfASimulatedRun() throws Exception {
        Exchange exchange =
                new Exchange(
                        Rules.parse("median"),
                        1,
                        1,
                        Contraction.NONE,
                        new Attackers(Attacks.parse("reversed"), 1));
        Topology ring = Topology.gossip(WORKERS, exchange, Graph.parse("ring"));
        Training training =
                new TrainingBuilder(training("ring", Topology.ONE))
                        .attack(null, 0)
                        .topology(ring)
                        .rounds(20)
                        .build();
        List<float[]> models = equalsSimulated(training, 2);
        assertThat(Arrays.equals(models.get(0), models.get(3))).isFalse();
    }

    /** Whom a node hears is drawn anew in each exchange, and again after a failure. */
    @Test
    void nodesThatPullAlongAGraphEndWithTheModelsOfASimulatedRun() throws Exception {
        Exchange exchange =
                new Exchange(
                        Rules.parse("median"),
                        1,
                        1,
                        Contraction.NONE,
                        new Attackers(Attacks.parse("dissensus"), 1));
        Graph graph = Graph.parse("random-regular(4)").pulling("pull(2)");
        Training training =
                new TrainingBuilder(training("pulling", Topology.ONE))
                        .attack(null, 0)
                        .topology(Topology.gossip(WORKERS, exchange, graph))
                        .rounds(20)
                        .build();
        equalsSimulated(training, 2);
    }

    private static List<float[]> equalsSimulated(Training training, int failures) throws Exception {
        List<float[]> models = models(run(training, failures));
        DrivenRun driven;
        try (LearnedGradients gradients = new LearnedGradients(training)) {
            driven = RoundDriver.of(training, 3).gradients(gradients).run();
        }
        for (int node = 0; node < WORKERS; node++) {
            assertThat(Arrays.equals(models.get(node), driven.models().get(node))).isTrue();
        }
        return models;
    }

    /**
     * A replica continues where the one that was read has stopped, with the bits it would have had.
     */
    @Test
    void aCrashCostsTimeOnly() throws Exception {
        float[] alone = run(training("onlyserver", Topology.ONE), 0).parameters();
        Training shorter =
                new TrainingBuilder(training("shorter", Topology.ONE)).rounds(15).build();
        float[] early = run(shorter, 0).parameters();
        Failover failover =
                new Failover(
                        Duration.ofMillis(50),
                        List.of(new Failover.Crash(0, 15), new Failover.Crash(1, 30)),
                        Attackers.NONE);
        RunResult result = run(training("crashes", Topology.crashTolerant(3, failover)), 3);
        List<ServerResult> servers = result.servers();
        assertThat(servers.stream().map(ServerResult::roundCount)).containsExactly(15L, 30L, 40L);
        assertThat(Arrays.equals(servers.get(0).parameters(), early)).isTrue();
        assertThat(Arrays.equals(result.parameters(), alone)).isTrue();
        assertThat(result.roundCount()).isEqualTo(ROUNDS);
        // Whatever was restarted when, in the end only server 2 was left to read.
        List<Takeover> told = servers.stream().flatMap(each -> each.takeovers().stream()).toList();
        assertThat(told).allMatch(each -> each.round() < ROUNDS);
        assertThat(servers.get(2).takeovers()).isNotEmpty();
        for (Takeover each : told) {
            assertThat(each.participants()).isBetween(1, WORKERS);
            assertThat(each.waitedMicros()).isGreaterThanOrEqualTo(each.failover() ? 50_000 : 0);
        }
    }

    @Test
    void tellsWhichServerWasReadWhen() throws Exception {
        // Longer than a busy machine holds up one replica and not the other.
        Duration timeout = Duration.ofSeconds(5);
        Failover failover =
                new Failover(timeout, List.of(new Failover.Crash(0, 15)), Attackers.NONE);
        RunResult result = run(training("crashed", Topology.crashTolerant(2, failover)), 0);
        List<Takeover> first = result.servers().get(0).takeovers();
        assertThat(first).containsExactly(new Takeover(0, 0, -1, 0, WORKERS, 0, 0));
        assertThat(result.servers().get(1).takeovers())
                .singleElement()
                .satisfies(
                        next -> {
                            long waited = next.waitedMicros();
                            assertThat(waited).isGreaterThanOrEqualTo(timeout.toNanos() / 1000);
                            assertThat(next)
                                    .isEqualTo(new Takeover(0, 15, 0, 1, WORKERS, 0, waited));
                        });
    }

    /** Between rounds of workers there are exchanges, by which nothing that is drawn is another. */
    @Test
    void whatWorkersAndRulesDrawIsWhatOneServerHas() throws Exception {
        float[] alone = run(drawing("drawnbyone", Topology.ONE), 0).parameters();
        List<ServerResult> servers = run(drawing("drawnbythree", lying("reversed")), 0).servers();
        assertThat(servers.get(0).parameters()).isEqualTo(alone);
        assertThat(servers.get(1).parameters()).isEqualTo(alone);
    }

    private static Training drawing(String name, Topology topology) {
        return new TrainingBuilder(training(name, topology))
                .rule(Rules.parse("bucketing(2) | median"))
                .attack(Attacks.parse("random"), 1)
                .rounds(10)
                .build();
    }

    /** Who believes one server stands no lie of it. */
    @Test
    void aLyingPrimaryRuinsARunThatStandsCrashes() throws Exception {
        // A slow machine is no reason to leave the liar.
        Failover honest = new Failover(Duration.ofMinutes(5));
        double unharmed = loss(training("believed", Topology.crashTolerant(2, honest)));
        for (String attack : List.of("reversed(c=3)", "random", "dropped(p=1)", "sign-flip")) {
            Failover lying =
                    new Failover(
                            honest.timeout(), List.of(), new Attackers(Attacks.parse(attack), 1));
            double harmed = loss(training("lied-to", Topology.crashTolerant(2, lying)));
            assertThat(harmed).as(attack).isGreaterThan(5 * unharmed);
        }
    }

    @Test
    void failuresChangeNothing() throws Exception {
        Training training = large("undisturbed", lying("random"));
        List<ServerResult> undisturbed = run(training, 0).servers();
        List<ServerResult> disturbed = run(training, 3).servers();
        for (int server = 0; server < 3; server++) {
            assertThat(disturbed.get(server).parameters())
                    .isEqualTo(undisturbed.get(server).parameters());
            // The history of a server that lies is as long as that of one that does not.
            assertThat(disturbed.get(server).rounds())
                    .usingRecursiveComparison()
                    .ignoringFields("decidedAt", "seconds", "secondsByPhase")
                    .isEqualTo(undisturbed.get(server).rounds());
        }
    }

    private static List<float[]> models(RunResult result) {
        return result.servers().stream().map(ServerResult::parameters).toList();
    }
}
