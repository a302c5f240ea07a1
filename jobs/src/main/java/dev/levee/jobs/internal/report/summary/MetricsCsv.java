package dev.levee.jobs.internal.report.summary;

import dev.levee.learners.Score;
import dev.levee.operators.rounds.report.EvaluationReport;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.RoundPhase;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RunResult;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes {@code metrics.csv} with one row for each model version, in order. In a run of very many
 * rounds, each row stands for a stretch of rounds, at the version at its end. The columns are
 *
 * <ul>
 *   <li>{@code version}: number of rounds that led to the model;
 *   <li>{@code seconds}: duration of the last of these rounds, and its phases: {@code compute},
 *       {@code ship}, {@code look}, {@code decide}, {@code reduce}, {@code update};
 *   <li>{@code loss}: mean training loss that the selected workers reported in that round;
 *   <li>{@code learningRate}: step size of that round;
 *   <li>{@code batchSize}: samples per worker in that round;
 *   <li>{@code rows}, {@code selected}, {@code faults}: ids of the workers that were aggregated,
 *       that had weight in the result, and that were proven faulty, separated by spaces;
 *   <li>{@code workers}, {@code f}: number of workers that took part, and number of Byzantine ones
 *       that the rule had to tolerate before any was proven faulty; empty if unknown;
 *   <li>{@code progress}, {@code gain}, {@code noiseScale}, in elastic runs only: progress up to
 *       that version in rounds at the initial batch size, the part that its round made, and the
 *       estimated noise scale of the gradient in samples;
 *   <li>{@code testLoss}, {@code testAccuracy}: empty if the version was not evaluated. Models that
 *       do not classify have columns for their scores instead of the accuracy or after it, such as
 *       {@code testRmse}.
 * </ul>
 *
 * <p>In the row of a stretch, seconds are summed, the loss is averaged, and faults are collected
 * over its rounds. The evaluation is that of its newest evaluated version. All other values are
 * those of its last round.
 */
public final class MetricsCsv {
    private static final String HEADER =
            "version,seconds,"
                    + Arrays.stream(RoundPhase.values())
                            .map(Summary::word)
                            .collect(Collectors.joining(","))
                    + ",loss,learningRate,batchSize,rows,selected,faults,workers,f";

    /** Additional columns of elastic runs. */
    private static final String COUNTED = ",progress,gain,noiseScale";

    private MetricsCsv() {}

    public static String of(RunResult result) {
        long stretch = result.stretch();
        Map<Long, EvaluationReport> byStretch = new HashMap<>();
        result.evaluations().forEach(each -> byStretch.put(each.stretch(stretch), each));
        List<Score> scores =
                result.evaluations().stream()
                        .flatMap(each -> each.scores().keySet().stream())
                        .distinct()
                        .sorted()
                        .toList();
        if (scores.isEmpty()) {
            scores = List.of(Score.ACCURACY);
        }
        boolean counts = result.rounds().stream().anyMatch(each -> each.progress().counts());
        StringBuilder csv =
                new StringBuilder(HEADER).append(counts ? COUNTED : "").append(",testLoss");
        for (Score score : scores) {
            csv.append(',').append(score.metric());
        }
        csv.append('\n');
        EvaluationReport initial = byStretch.get(-1L);
        if (initial != null) {
            csv.append("0,").append(",".repeat(RoundPhase.values().length + (counts ? 11 : 8)));
            append(csv, initial, scores);
        }
        for (RoundReport round : result.rounds()) {
            csv.append(round.round() + 1).append(',').append(number(round.seconds()));
            for (double seconds : round.secondsByPhase()) {
                csv.append(',').append(number(seconds));
            }
            csv.append(',').append(number(round.loss()));
            csv.append(',').append(number(round.learningRate()));
            csv.append(',').append(round.batchSize());
            csv.append(',').append(ids(round.rows()));
            csv.append(',').append(ids(round.selected()));
            csv.append(',').append(ids(round.faults()));
            csv.append(',').append(count(round.workers()));
            csv.append(',').append(count(round.f()));
            if (counts) {
                append(csv, round.progress());
            }
            append(csv, byStretch.get(round.round() / stretch), scores);
        }
        return csv.toString();
    }

    private static void append(StringBuilder csv, Planner.Progress progress) {
        csv.append(',').append(number(progress.rounds() + progress.gain()));
        csv.append(',').append(number(progress.gain()));
        csv.append(',').append(number(progress.noiseScale()));
    }

    private static void append(StringBuilder csv, EvaluationReport evaluation, List<Score> scores) {
        csv.append(',').append(evaluation == null ? "" : number(evaluation.loss()));
        for (Score score : scores) {
            csv.append(',').append(evaluation == null ? "" : number(evaluation.score(score)));
        }
        csv.append('\n');
    }

    private static String number(double value) {
        return String.valueOf((float) value);
    }

    private static String count(int number) {
        return number < 0 ? "" : String.valueOf(number);
    }

    private static String ids(int[] workers) {
        return Arrays.stream(workers).mapToObj(String::valueOf).collect(Collectors.joining(" "));
    }
}
