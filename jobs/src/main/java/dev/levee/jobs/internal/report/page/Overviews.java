package dev.levee.jobs.internal.report.page;

import dev.levee.connectors.kafka.job.RunOverview;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.training.RoundReport;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** Formats the state of a run over Kafka as text and as JSON. */
public final class Overviews {
    private static final String NOTHING = "–";

    private Overviews() {}

    /**
     * Summarizes the state in a few sentences.
     *
     * @param now current time in milliseconds since the epoch
     */
    public static List<String> sentences(String name, RunOverview run, long now) {
        Settings settings = run.settings();
        List<String> lines = new ArrayList<>();
        lines.add(
                "Run %s (%d): version %d, published %s ago"
                        .formatted(name, run.run(), run.version(), age(now - run.publishedAt())));
        lines.add(
                settings.stop()
                        ? "The run is complete."
                        : "Round %d is open: %d workers, f = %d, quorum %d, batch size %d, learning rate %s"
                                .formatted(
                                        run.version(),
                                        settings.workers(),
                                        settings.f(),
                                        settings.quorum(),
                                        settings.batchSize(),
                                        settings.learningRate()));
        RoundReport last = run.memory().last();
        if (last != null) {
            lines.add(
                    "Round %d had loss %s, gradients of %s, selected %s, proven faults %s"
                            .formatted(
                                    last.round(),
                                    Numbers.decimals(last.loss(), 4),
                                    workers(last.rows()),
                                    workers(last.selected()),
                                    workers(last.faults())));
        }
        return lines;
    }

    /** A table of workers; the first line is the header. */
    public static List<List<String>> workers(RunOverview run) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("worker", "accepted", "selected", "answered", "rejected"));
        for (WorkerCounts counts : run.memory().counts()) {
            boolean known = counts.worker() >= 0;
            lines.add(
                    List.of(
                            known ? "w" + counts.worker() : "unknown",
                            known ? String.valueOf(counts.accepted()) : NOTHING,
                            known ? String.valueOf(counts.selected()) : NOTHING,
                            known ? answered(run, counts.worker()) : NOTHING,
                            rejected(counts)));
        }
        return lines;
    }

    private static String answered(RunOverview run, int worker) {
        int blocks = blocks(run, worker);
        if (run.settings().stop()) {
            return NOTHING;
        }
        return blocks == run.blocks()
                ? "yes"
                : blocks == 0 ? "no" : blocks + " of " + run.blocks() + " blocks";
    }

    private static int blocks(RunOverview run, int worker) {
        return run.answers().getOrDefault(worker, new BitSet()).cardinality();
    }

    private static String rejected(WorkerCounts counts) {
        StringJoiner reasons = new StringJoiner(", ").setEmptyValue(NOTHING);
        reasons(counts).forEach((reason, count) -> reasons.add(count + " " + reason));
        return reasons.toString();
    }

    private static Map<String, Long> reasons(WorkerCounts counts) {
        Map<String, Long> reasons = new LinkedHashMap<>();
        Rejection[] all = Rejection.values();
        for (int i = 0; i < Math.min(all.length, counts.rejected().length); i++) {
            if (counts.rejected()[i] > 0) {
                reasons.put(Summary.word(all[i]), counts.rejected()[i]);
            }
        }
        return reasons;
    }

    /** A table of the gradient topic's partitions; the first line is the header. */
    public static List<List<String>> partitions(RunOverview run) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("partition", "end offset", "committed", "lag", "bytes"));
        for (RunOverview.Partition each : run.partitions()) {
            lines.add(
                    List.of(
                            String.valueOf(each.partition()),
                            String.valueOf(each.end()),
                            number(each.committed()),
                            number(each.lag()),
                            number(each.bytes())));
        }
        return lines;
    }

    /** All values, for a JSON object. */
    public static Map<String, Object> values(String name, RunOverview run) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("run", name);
        values.put("id", run.run());
        values.put("version", run.version());
        values.put("publishedAt", run.publishedAt());
        values.put("complete", run.settings().stop());
        values.put("settings", run.settings());
        RoundReport last = run.memory().last();
        if (last != null) {
            Map<String, Object> round = new LinkedHashMap<>();
            round.put("round", last.round());
            round.put("loss", Double.isFinite(last.loss()) ? last.loss() : null);
            round.put("rows", last.rows());
            round.put("selected", last.selected());
            round.put("faults", last.faults());
            values.put("lastRound", round);
        }
        List<Object> workers = new ArrayList<>();
        for (WorkerCounts counts : run.memory().counts()) {
            Map<String, Object> worker = new LinkedHashMap<>();
            worker.put("worker", counts.worker());
            worker.put("accepted", counts.accepted());
            worker.put("selected", counts.selected());
            worker.put("rejected", reasons(counts));
            worker.put("blocksAnswered", blocks(run, counts.worker()));
            workers.add(worker);
        }
        values.put("blocks", run.blocks());
        values.put("workers", workers);
        values.put("partitions", run.partitions());
        return values;
    }

    private static String number(long value) {
        return value < 0 ? NOTHING : String.valueOf(value);
    }

    private static String workers(int[] ids) {
        return ids.length == 0
                ? "none"
                : Arrays.stream(ids).mapToObj(id -> "w" + id).collect(Collectors.joining(" "));
    }

    /** A duration such as 3 s, 5 min or 2 h. */
    static String age(long millis) {
        long seconds = Math.max(0, millis) / 1000;
        return seconds < 120
                ? seconds + " s"
                : seconds < 7200 ? seconds / 60 + " min" : seconds / 3600 + " h";
    }
}
