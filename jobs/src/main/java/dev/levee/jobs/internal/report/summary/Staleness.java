package dev.levee.jobs.internal.report.summary;

import dev.levee.operators.rounds.training.RoundReport;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The staleness of contributions that counted. */
public final class Staleness {
    private Staleness() {}

    /**
     * Number of contributions by the versions that the model had made since the one that they
     * answer, up to the stalest.
     */
    static List<Long> histogram(List<RoundReport> rounds) {
        int most =
                rounds.stream().flatMapToInt(each -> Arrays.stream(each.ages())).max().orElse(-1);
        long[] counts = new long[most + 1];
        rounds.forEach(each -> IntStream.of(each.ages()).forEach(age -> counts[age]++));
        return Arrays.stream(counts).boxed().toList();
    }
}
