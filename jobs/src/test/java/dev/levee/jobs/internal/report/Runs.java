package dev.levee.jobs.internal.report;

import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.jobs.internal.report.summary.MetricsCsv;
import dev.levee.jobs.internal.report.summary.Provenance;
import dev.levee.jobs.internal.report.summary.Sample;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.learners.FlatVector;
import dev.levee.learners.Score;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.report.EvaluationReport;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RoundReportBuilder;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.ServerResult;
import dev.levee.operators.rounds.training.Training;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A small finished run: two rounds, three workers of which the last attacks. */
final class Runs {
    static final Provenance PROVENANCE =
            new Provenance(
                    "2026-01-02T03:04:05Z",
                    "2026-01-02T03:05:00Z",
                    "0.1.0",
                    "2.2.0",
                    "17.0.1",
                    "Linux amd64, 2 processors, 8 GiB",
                    "0123456789ab with changes");

    private Runs() {}

    static RunResult result() {
        return result(
                new EvaluationReport(0, 900, 2.75, 0.125),
                new EvaluationReport(1, 1100, 1.5, 0.75),
                new EvaluationReport(2, 1600, Double.POSITIVE_INFINITY, 0.5));
    }

    private static EvaluationReport numbers(long version, double rmse, double r2) {
        return new EvaluationReport(version, 900, rmse, Map.of(Score.RMSE, rmse, Score.R2, r2));
    }

    /** A run that learns numbers. */
    static RunView numbers(String rule) {
        RunResult result =
                result(numbers(0, 2, -0.5), numbers(1, 0.5, 0.8), numbers(2, 0.75, Double.NaN));
        return new RunView(
                Summary.of(PROVENANCE, configuration(rule), null, result),
                RunView.points(MetricsCsv.of(result)),
                List.of());
    }

    /** The result of a run that has one server. */
    static RunResult of(
            Training training,
            long roundCount,
            long samples,
            long stretch,
            List<RoundReport> rounds,
            List<EvaluationReport> evaluations,
            List<WorkerCounts> workers,
            float[] parameters) {
        return new RunResult(
                training,
                List.of(
                        new ServerResult(
                                roundCount,
                                samples,
                                stretch,
                                rounds,
                                evaluations,
                                workers,
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                null,
                                List.of(),
                                null,
                                List.of(),
                                FlatVector.of(parameters))));
    }

    private static RunResult result(EvaluationReport... evaluations) {
        return of(
                null,
                2,
                96,
                1,
                List.of(
                        new RoundReportBuilder(0)
                                .decidedAt(1000)
                                .seconds(0.5)
                                .phases(0.25, 0.125, 0.0625, 0.03125, 0.03125, 0)
                                .loss(2.5)
                                .rows(0, 1, 2)
                                .selected(0, 1)
                                .among(3, 1)
                                .build(),
                        new RoundReportBuilder(1)
                                .decidedAt(1500)
                                .seconds(0.25)
                                .phases(0.125, 0.125, 0, 0, 0, 0)
                                .loss(Double.NaN)
                                .rate(0.05)
                                .rows(0, 1)
                                .selected(1)
                                .faults(2)
                                .build()),
                List.of(evaluations),
                List.of(
                        new WorkerCounts(0, 2, 1, rejected()),
                        new WorkerCounts(1, 2, 2, rejected()),
                        new WorkerCounts(2, 1, 0, rejected(1, 0, 0, 3))),
                new float[] {1, -2.5f});
    }

    static long[] rejected(long... first) {
        long[] counts = new long[Rejection.values().length];
        System.arraycopy(first, 0, counts, 0, first.length);
        return counts;
    }

    static Map<String, Object> configuration(String rule) {
        Map<String, Object> configuration = new LinkedHashMap<>();
        configuration.put("dataset", "strokes:");
        configuration.put("model", "mnist-cnn");
        configuration.put("workers", 3);
        configuration.put("byzantine", 1);
        configuration.put("attackers", 1);
        configuration.put("attack", "random");
        configuration.put("aggregator", rule);
        return configuration;
    }

    static RunView view(String rule) {
        RunResult result = result();
        return new RunView(
                Summary.of(PROVENANCE, configuration(rule), null, result),
                RunView.points(MetricsCsv.of(result)),
                List.of(new Sample(7, 7, "AAAA"), new Sample(8, 3, "BBBB")));
    }
}
