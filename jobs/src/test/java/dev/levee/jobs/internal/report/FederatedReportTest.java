package dev.levee.jobs.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Partition;
import dev.levee.federated.Federation;
import dev.levee.federated.LocalTraining;
import dev.levee.federated.WithoutBarrier;
import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.plan.Asynchrony;
import dev.levee.federated.plan.StalenessWeight;
import dev.levee.federated.privacy.Privacy;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.federated.steps.ServerSteps;
import dev.levee.gar.Rules;
import dev.levee.jobs.internal.report.page.Report;
import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.jobs.internal.report.summary.FederatedSummary;
import dev.levee.jobs.internal.report.summary.MetricsCsv;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.report.EvaluationReport;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RoundReportBuilder;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** What is said of rounds over devices. */
class FederatedReportTest {
    private static final int ROUNDS = 6;
    private static final int PER_ROUND = 2;

    private static Training training() {
        return training(federation("balanced", Weighting.SAMPLES));
    }

    private static Federation federation(String sampling, Weighting weighting) {
        return new Federation(
                new Participation(Sampling.parse(sampling), PER_ROUND, weighting),
                LocalTraining.sgd(new LocalSteps.Steps(3), 0.1),
                ServerSteps.parse("sgd", 1));
    }

    private static Training training(Federation federation) {
        return federation.of(
                new TrainingBuilder(
                                "known",
                                "strokes:?train=200&test=50",
                                Models.open("logistic", new int[] {1, 28, 28}, 10),
                                Rules.parse("average"),
                                5,
                                0)
                        .partition(Partition.parse("iid"))
                        .rounds(ROUNDS)
                        .build());
    }

    private static RunResult result(Training training, long from) {
        List<RoundReport> rounds =
                LongStream.range(from, ROUNDS)
                        .mapToObj(
                                round ->
                                        new RoundReportBuilder(round)
                                                .decidedAt(1000)
                                                .seconds(0.5)
                                                .loss(1)
                                                .batch(10)
                                                .rows(
                                                        training.plan()
                                                                .at(training, round)
                                                                .cohort()
                                                                .ids())
                                                .build())
                        .toList();
        return Runs.of(
                training,
                rounds.size(),
                100,
                1,
                rounds,
                List.of(
                        new EvaluationReport(from, 900, 2, 0.25),
                        new EvaluationReport(ROUNDS, 1900, 1, 0.75)),
                List.of(),
                new float[training.model().layout().size()]);
    }

    /** So does a job that began again from the topics, without a checkpoint. */
    @Test
    void aRunThatKnowsItsLastRoundsOnlyCountsWhatThePlanSaysOfTheFirst() {
        Training training = training();
        FederatedSummary whole = FederatedSummary.of(result(training, 0), null);
        RunResult late = result(training, 4);
        FederatedSummary known = FederatedSummary.of(late, null);
        assertThat(known.asked()).isEqualTo(whole.asked());
        assertThat(known.asked().stream().mapToInt(Integer::intValue).sum())
                .isEqualTo(ROUNDS * PER_ROUND);
        assertThat(known.samplesDone()).isEqualTo(whole.samplesDone());
        assertThat(known.klSeenUniform()).isEqualTo(whole.klSeenUniform().subList(4, ROUNDS));

        RunView view = view(late);
        assertThat(view.points()).hasSize(2);
        assertThat(Report.of(List.of(view))).contains("<h1>");
    }

    /**
     * Of one round with Z = 4, the bound is 1.013. Leaving the device out asks another one in its
     * place, which moves the sum by up to 2S: with 9 of 10 devices, exactly 1.89.
     */
    @Test
    void privacyComparesADeviceWithOneThatSendsZeros() {
        Federation noisy = federation("uniform", Weighting.EQUAL).with(new Privacy(1, 4, 1e-5));
        Training once = new TrainingBuilder(training(noisy)).rounds(1).build();
        RunResult result = result(once, 0);
        assertThat(Report.of(List.of(view(result))))
                .contains(
                        "ε = 1.013 at δ = 1.0E-5 for each device, compared with one that sends"
                                + " zeros.");
    }

    private static RunView view(RunResult result) {
        Map<String, Object> configuration = Runs.configuration("average");
        configuration.put("sampling", "balanced");
        return new RunView(
                Summary.of(Runs.PROVENANCE, configuration, null, result),
                FederatedSummary.of(result, null),
                RunView.points(MetricsCsv.of(result)),
                List.of(),
                Map.of());
    }

    private static RunResult arrived(long stretch, long rounds) {
        Asynchrony asynchrony = new Asynchrony(1, StalenessWeight.parse("constant"), 9);
        Training training =
                training(
                        federation("uniform", Weighting.EQUAL)
                                .with(new WithoutBarrier.Arriving(asynchrony)));
        List<RoundReport> reports =
                LongStream.rangeClosed(1, rounds / stretch)
                        .map(each -> each * stretch - 1)
                        .mapToObj(
                                round ->
                                        new RoundReportBuilder(round)
                                                .rows(3)
                                                .bases(Math.max(0, round - 1))
                                                .build())
                        .toList();
        return Runs.of(
                training,
                rounds,
                0,
                stretch,
                reports,
                List.of(new EvaluationReport(rounds, 900, 1, 0.75)),
                List.of(new WorkerCounts(3, rounds, rounds, Runs.rejected())),
                new float[training.model().layout().size()]);
    }

    @Test
    void reportsOfSeveralRoundsAreNotCountedAsOneRound() {
        RunView all = view(arrived(1, 4));
        RunView some = view(arrived(2, 4));
        assertThat(all.federated().stalenessHistogram()).containsExactly(1L, 3L);
        assertThat(all.summary().stalenessHistogram()).containsExactly(1L, 3L);
        assertThat(all.federated().meanStaleness()).containsExactly(null, null, null, 0.75, null);
        assertThat(some.federated().asked()).isEqualTo(all.federated().asked());
        assertThat(some.federated().samplesDone()).isEqualTo(all.federated().samplesDone());
        assertThat(some.federated().bytesPerDevice()).isEqualTo(all.federated().bytesPerDevice());
        assertThat(some.federated().bytes()).isEqualTo(all.federated().bytes());
        assertThat(some.federated().klSeenUniform()).isEmpty();
        assertThat(some.federated().stalenessHistogram()).isNull();
        assertThat(some.summary().stalenessHistogram()).isNull();
        assertThat(Report.of(List.of(some))).contains("pulled the model when they were free");
        assertThat(Report.of(List.of(all, some))).contains("Share of classes seen");
    }
}
