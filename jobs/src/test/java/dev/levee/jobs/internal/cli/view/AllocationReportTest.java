package dev.levee.jobs.internal.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.cli.LeveeCommand;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.k8s.allocator.ClusterObservation;
import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobPhase;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.allocator.Progress;

import org.junit.jupiter.api.Test;

import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

class AllocationReportTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final String AT = "2026-01-02T03:04:05Z  ";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private AllocationReport report(boolean explain) {
        CommandLine line = LeveeCommand.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return new AllocationReport(new Terminal(line), Clock.fixed(NOW, ZoneOffset.UTC), explain);
    }

    private static Observation seen(String id, JobPhase phase, int workers) {
        JobSpec spec = new JobSpec(id, NOW, new JobBounds(1, 8, 2, 16, 512, 0.1));
        return new Observation(
                spec,
                phase,
                workers,
                workers,
                16,
                Optional.empty(),
                0,
                Double.NaN,
                Double.NaN,
                Progress.UNKNOWN);
    }

    private static Decision decided(String id, int workers, int batch, double rate) {
        return new Decision(id, workers, batch, rate, "because of " + id);
    }

    private List<String> said() {
        List<String> lines = out.toString().lines().toList();
        out.getBuffer().setLength(0);
        return lines;
    }

    private static void round(
            AllocationReport report, ClusterObservation sighting, Decision... decisions) {
        report.observed(sighting);
        report.decided(sighting, Arrays.asList(decisions));
    }

    @Test
    void aLineForEachChange() {
        AllocationReport report = report(false);
        ClusterObservation two =
                new ClusterObservation(
                        4, List.of(seen("a", JobPhase.RUNNING, 2), seen("b", JobPhase.WAITING, 0)));
        round(report, two, decided("a", 2, 16, 0.1), decided("b", 0, 16, 0.05));
        assertThat(said())
                .containsExactly(
                        AT + "job a 2 workers, batch 16, learning rate 0.1000", AT + "job b waits");
        round(report, two, decided("a", 2, 16, 0.1), decided("b", 0, 16, 0.05));
        assertThat(said()).isEmpty();
        round(report, two, decided("a", 3, 32, 0.3), decided("b", 1, 16, 0.05));
        assertThat(said())
                .containsExactly(
                        AT + "job a 2 to 3 workers, batch 16 to 32, learning rate 0.3000",
                        AT + "job b starts with 1 worker, batch 16, learning rate 0.05000");
        report.observed(new ClusterObservation(4, List.of(seen("b", JobPhase.FAILED, 0))));
        assertThat(said()).containsExactly(AT + "job a has ended", AT + "job b has failed");
        report.observed(new ClusterObservation(4, List.of()));
        assertThat(said()).isEmpty();
    }

    @Test
    void orATableOfAllAndWhy() {
        AllocationReport report = report(true);
        round(
                report,
                new ClusterObservation(
                        1,
                        List.of(seen("a", JobPhase.RUNNING, 2), seen("long", JobPhase.WAITING, 0))),
                decided("a", 1, 16, 0.05),
                decided("long", 0, 16, 0.05));
        assertThat(said())
                .containsExactly(
                        AT + "1 slot, 2 jobs",
                        "place  job   workers  batch  learning rate  why",
                        "-      a     2 to 1   16     0.05000        because of a",
                        "1      long  0        16     -              because of long");
        round(report, new ClusterObservation(4, List.of()));
        assertThat(said()).contains(AT + "4 slots, 0 jobs");
    }

    @Test
    void whoWaitsHasAPlaceByWhoCameFirst() {
        round(
                report(true),
                new ClusterObservation(
                        1,
                        List.of(
                                seen("late", JobPhase.WAITING, 0),
                                seen("ended", JobPhase.FAILED, 1),
                                seen("early", JobPhase.RUNNING, 1))),
                decided("ended", 0, 16, 0.05),
                decided("late", 0, 16, 0.05),
                decided("early", 0, 16, 0.05));
        assertThat(said())
                .anySatisfy(line -> assertThat(line).matches("- +ended .*"))
                .anySatisfy(line -> assertThat(line).matches("1 +early .*"))
                .anySatisfy(line -> assertThat(line).matches("2 +late .*"));
    }

    @Test
    void failuresGoToStandardError() {
        report(false).failed("it does not answer");
        assertThat(said()).isEmpty();
        assertThat(err.toString().strip()).isEqualTo(AT + "it does not answer");
    }
}
