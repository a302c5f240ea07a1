package dev.levee.jobs.internal.audit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Describes a checked log in words, for the terminal, for pages and for other programs. */
public final class AuditText {
    /** Maximum number of jumps that are listed. */
    private static final int NAMED = 5;

    private static final String NOTHING = "–";

    private final AuditCheck check;
    private final Ranking ranking;

    public AuditText(AuditCheck check, Ranking ranking) {
        this.check = check;
        this.ranking = ranking;
    }

    /** Returns a sentence that says whether the log is intact. */
    public String verdict() {
        String log =
                "%s: %d lines about %d rounds"
                        .formatted(AuditLog.FILE, check.lines(), ranking.rounds());
        String key = check.key() == null ? "" : ", key " + check.key().fingerprint();
        return check.intact()
                ? log + key + "; all are signed and in order"
                : "%s%s; %d problem%s"
                        .formatted(
                                log,
                                key,
                                check.problems().size(),
                                check.problems().size() == 1 ? "" : "s");
    }

    /**
     * Returns a header and a line for each worker; the worker least like the others comes first.
     */
    public List<List<String>> table() {
        List<List<String>> lines = new ArrayList<>();
        lines.add(
                List.of(
                        "worker",
                        "distance",
                        "95 % interval",
                        "jumps",
                        "refused",
                        "place",
                        "loss",
                        "place"));
        for (WorkerHistory each : ranking.workers()) {
            lines.add(
                    List.of(
                            String.valueOf(each.worker()),
                            number(each.distance()),
                            Double.isFinite(each.high())
                                    ? number(each.low()) + "–" + number(each.high())
                                    : NOTHING,
                            String.valueOf(each.jumps().size()),
                            String.format(Locale.ROOT, "%.1f %%", 100 * each.refusedShare()),
                            String.valueOf(ranking.place(each, WorkerHistory::refusedShare)),
                            number(each.loss()),
                            String.valueOf(ranking.place(each, WorkerHistory::loss))));
        }
        return lines;
    }

    /** A sentence for each worker that stands out, with the reason. */
    public List<String> findings() {
        List<WorkerHistory> found = ranking.outstanding();
        return found.isEmpty()
                ? List.of("No worker stands out.")
                : found.stream().map(AuditText::finding).toList();
    }

    private static String finding(WorkerHistory worker) {
        String jumps =
                worker.jumps().isEmpty()
                        ? ""
                        : ", and farther than usual for it in %d of %d rounds (%s%s)"
                                .formatted(
                                        worker.jumps().size(),
                                        worker.asked(),
                                        worker.jumps().stream()
                                                .limit(NAMED)
                                                .map(String::valueOf)
                                                .collect(Collectors.joining(", ")),
                                        worker.jumps().size() > NAMED ? ", …" : "");
        return "Worker %d stands out: it is %s times as far from its neighbors as the median worker%s."
                .formatted(worker.worker(), number(worker.distance()), jumps);
    }

    /** Returns all values, for JSON. */
    public Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("intact", check.intact());
        values.put("lines", check.lines());
        values.put("rounds", ranking.rounds());
        values.put("key", check.key() == null ? null : check.key().fingerprint());
        values.put("problems", check.problems());
        values.put("notes", check.notes());
        List<Integer> found =
                ranking.outstanding().stream().map(WorkerHistory::worker).sorted().toList();
        values.put("standOut", found);
        values.put(
                "workers",
                ranking.workers().stream()
                        .map(
                                each -> {
                                    Map<String, Object> worker = new LinkedHashMap<>();
                                    worker.put("worker", each.worker());
                                    worker.put("asked", each.asked());
                                    worker.put("refused", each.refused());
                                    worker.put("faults", each.faults());
                                    worker.put("distance", finite(each.distance()));
                                    worker.put("low", finite(each.low()));
                                    worker.put("high", finite(each.high()));
                                    worker.put("jumps", each.jumps());
                                    worker.put("loss", finite(each.loss()));
                                    return worker;
                                })
                        .toList());
        return values;
    }

    private static Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }

    private static String number(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.3g", value) : NOTHING;
    }
}
