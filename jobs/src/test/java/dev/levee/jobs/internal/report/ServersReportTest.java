package dev.levee.jobs.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;
import dev.levee.jobs.internal.report.page.Report;
import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.jobs.internal.report.summary.ExchangeSummary;
import dev.levee.jobs.internal.report.summary.FailoverSummary;
import dev.levee.jobs.internal.report.summary.ServerSummary;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.jobs.internal.report.summary.TrafficSummary;
import dev.levee.learners.FlatVector;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.report.EvaluationReport;
import dev.levee.operators.rounds.report.ExchangeReport;
import dev.levee.operators.rounds.report.Takeover;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.topology.Contraction;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Failover;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.ServerResult;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.IntStream;

/** What a run with three servers, of which the last lies, leaves and says. */
class ServersReportTest {
    private static final int ROUNDS = 20;
    private static final int PARAMETERS = 7850;

    @TempDir Path directory;

    private static Training training() {
        Exchange exchange =
                new Exchange(
                        Rules.parse("median"),
                        1,
                        2,
                        Contraction.NONE,
                        new Attackers(Attacks.parse("reversed"), 1));
        return new TrainingBuilder(
                        "threeservers",
                        "strokes:",
                        Models.open("logistic", new int[] {1, 28, 28}, 10),
                        Rules.parse("median"),
                        5,
                        1)
                .rounds(ROUNDS)
                .topology(Topology.replicas(3, exchange))
                .build();
    }

    private static ExchangeReport exchange(long iteration, double first, double second) {
        return new ExchangeReport(iteration, new int[] {0, 1, 2}, new double[] {first, second, 40});
    }

    private static ServerResult server(int id, List<ExchangeReport> exchanges) {
        WorkerCounts[] peers =
                IntStream.range(0, 3)
                        .mapToObj(peer -> new WorkerCounts(5 + peer, 10, peer, new long[0]))
                        .toArray(WorkerCounts[]::new);
        float[] parameters = new float[PARAMETERS];
        parameters[0] = id;
        return new ServerResult(
                ROUNDS,
                1600,
                1,
                Runs.result().rounds(),
                List.of(
                        new EvaluationReport(1, 900, 2, 0.25),
                        new EvaluationReport(2, 900, Double.NaN, Double.NaN),
                        new EvaluationReport(ROUNDS, 900, 0.5, 0.75)),
                Runs.result().workers(),
                List.of(peers),
                exchanges,
                List.of(),
                List.of(),
                null,
                List.of(),
                null,
                List.of(),
                FlatVector.of(parameters));
    }

    /** A replica of a run in which servers may crash. */
    private static ServerResult replica(Takeover... takeovers) {
        ServerResult all = server(0, List.of());
        return new ServerResult(
                all.roundCount(),
                all.samples(),
                all.stretch(),
                all.rounds(),
                all.evaluations(),
                all.workers(),
                List.of(),
                List.of(),
                List.of(takeovers),
                List.of(),
                null,
                List.of(),
                null,
                List.of(),
                FlatVector.of(all.parameters()));
    }

    /** Server 0 falls silent in round 8, and again after a restart of the job in round 12. */
    private static RunResult crashed() {
        Failover failover =
                new Failover(
                        Duration.ofSeconds(2), List.of(new Failover.Crash(0, 8)), Attackers.NONE);
        return new RunResult(
                new TrainingBuilder(training())
                        .topology(Topology.crashTolerant(2, failover))
                        .build(),
                List.of(
                        replica(new Takeover(0, 0, -1, 0, 5, 0, 0)),
                        replica(
                                new Takeover(1, 12, 0, 1, 5, 2, 2_500_000),
                                new Takeover(0, 8, 0, 1, 5, 0, 2_000_000))));
    }

    @Test
    void summaryAndReportSayWhichReplicaWasReadWhen() throws Exception {
        Summary summary =
                Summary.of(Runs.PROVENANCE, Runs.configuration("median"), null, crashed());
        assertThat(summary.failover())
                .isEqualTo(
                        new FailoverSummary(
                                2,
                                2,
                                2,
                                List.of(
                                        new FailoverSummary.Primary(0, 0, null, 0, 5, 0, 0),
                                        new FailoverSummary.Primary(8, 1, 0, 0, 5, 0, 2),
                                        new FailoverSummary.Primary(12, 1, 0, 1, 5, 2, 2.5))));
        assertThat(Summary.parse(summary.json())).isEqualTo(summary);
        assertThat(Report.of(List.of(new RunView(summary, List.of(), List.of()))))
                .contains(
                        "Which server workers read: 2 fail-overs, server 1 is read since round 12",
                        "<th scope=\"row\">8</th><td>1</td><td>server 0, silent</td><td>5</td>"
                                + "<td>0</td><td>2.00 s</td>",
                        "<th scope=\"row\">0</th><td>0</td><td>at the start</td>");
    }

    private static RunResult result() {
        return new RunResult(
                training(),
                List.of(
                        server(0, List.of(exchange(9, 0, 2), exchange(19, 0, 4))),
                        server(1, List.of(exchange(9, 2, 0), exchange(19, 4, 0))),
                        server(2, List.of(exchange(9, 99, 99), exchange(19, 99, 99)))));
    }

    @Test
    void summarySaysHowFarServersWereApartAndWhatTheySent() throws Exception {
        Summary summary = Summary.of(Runs.PROVENANCE, Runs.configuration("median"), null, result());
        assertThat(summary.exchanges())
                .containsExactly(
                        new ExchangeSummary(10, 2.0, 40.0), new ExchangeSummary(20, 4.0, 40.0));
        assertThat(summary.servers().stream().map(ServerSummary::told))
                .containsExactly(4.0, 4.0, 40.0);
        assertThat(summary.bestAccuracy()).isEqualTo(0.75);
        assertThat(summary.servers().get(1).accuracies())
                .containsExactly(
                        new ServerSummary.Accuracy(1, 0.25),
                        new ServerSummary.Accuracy(ROUNDS, 0.75));
        // 5 workers and 3 servers; models every two rounds, to two others each.
        double bytes = 4.0 * PARAMETERS;
        assertThat(summary.messages())
                .containsExactly(
                        new TrafficSummary("models to workers", 15, 15 * bytes),
                        new TrafficSummary("gradients to servers", 15, 15 * bytes),
                        new TrafficSummary("models between servers", 3, 3 * bytes));
        assertThat(Summary.parse(summary.json())).isEqualTo(summary);
    }

    @Test
    void reportShowsWhoTookWhoseModel() {
        Summary summary = Summary.of(Runs.PROVENANCE, Runs.configuration("median"), null, result());
        String html = Report.of(List.of(new RunView(summary, List.of(), List.of())));
        assertThat(html)
                .contains(
                        "Distance of servers' models before they combine them",
                        "Byzantine, on average ends at 40 after 20 rounds.",
                        "Whose model each server took, of 2 exchanges",
                        "<th scope=\"row\" class=\"lies\">2</th>",
                        "models between servers</th><td>3.0</td>");
    }

    @Test
    void eachServersModelIsKeptBesideTheRuns() throws Exception {
        OutputLayout layout = OutputLayout.of(directory.toString(), List.of("median"));
        RunResult result = result();
        new ArtifactSink(
                        Runs.PROVENANCE,
                        new LinkedHashMap<>(Runs.configuration("median")),
                        null,
                        layout,
                        0,
                        null)
                .finished(result);
        assertThat(directory.resolve("servers/0")).doesNotExist();
        for (int server = 1; server < 3; server++) {
            org.apache.flink.core.fs.Path model =
                    new org.apache.flink.core.fs.Path(
                            layout.root() + "/servers/" + server + "/model.npz");
            assertThat(RunFiles.readModel(model, result.training().model().layout()))
                    .isEqualTo(result.servers().get(server).parameters());
        }
        new RunFiles(layout.root()).forgetServers();
        assertThat(Files.exists(directory.resolve("servers"))).isFalse();
    }
}
