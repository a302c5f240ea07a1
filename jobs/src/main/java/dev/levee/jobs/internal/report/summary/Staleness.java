package dev.levee.jobs.internal.report.summary;

import dev.levee.operators.rounds.training.RoundReport;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Counts the staleness of accepted contributions. */
public final class Staleness {
    private Staleness() {}

    /**
     * The number of contributions by staleness: how many versions the model was ahead of the one
     * that they answer. The last entry is the largest staleness.
     */
    static List<Long> histogram(List<RoundReport> rounds) {
        int most =
                rounds.stream().flatMapToInt(each -> Arrays.stream(each.ages())).max().orElse(-1);
        long[] counts = new long[most + 1];
        rounds.forEach(each -> IntStream.of(each.ages()).forEach(age -> counts[age]++));
        return Arrays.stream(counts).boxed().toList();
    }
}
