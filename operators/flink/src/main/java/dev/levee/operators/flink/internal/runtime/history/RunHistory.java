package dev.levee.operators.flink.internal.runtime.history;

import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.rounds.fault.CodeFault;
import dev.levee.operators.rounds.report.EvaluationReport;
import dev.levee.operators.rounds.report.ExchangeReport;
import dev.levee.operators.rounds.report.LocalScore;
import dev.levee.operators.rounds.report.Takeover;
import dev.levee.operators.rounds.training.RoundReport;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A bounded history of one server's rounds, evaluations and exchanges: every report up to a limit,
 * and in longer runs one report for each stretch of 2, 4, 8, … rounds, so that checkpoints stay
 * bounded. Counts of rounds and seconds remain exact, and the newest and the best evaluation are
 * kept. Only the newest takeovers of replicas are kept.
 */
final class RunHistory {
    /**
     * Most takeovers that are kept. Each takes a time-out, so this many take about an hour or more.
     */
    static final int MOST_TAKEOVERS = 1000;

    /** Limit of the kinds of faults in participants' own code. */
    static final int MOST_KINDS = 50;

    private final int mostReports;

    /** Stretches of rounds by number; each starts at its number times {@link #stretch}. */
    private TreeMap<Long, RunEvent.Stretch> rounds = new TreeMap<>();

    /** The newest of each stretch. */
    private TreeMap<Long, EvaluationReport> evaluations = new TreeMap<>();

    private EvaluationReport best;

    /** The newest of each stretch. */
    private TreeMap<Long, ExchangeReport> exchanges = new TreeMap<>();

    /** Takeovers of participants by replicas, in the order of their reports. */
    private final List<Takeover> takeovers = new ArrayList<>();

    /** Failures of participants' own code by kind, in the order of their reports. */
    private final Map<String, CodeFault> codeFaults = new LinkedHashMap<>();

    /** The last score of each participant on its own samples, by its id. */
    private final TreeMap<Integer, LocalScore> scores = new TreeMap<>();

    /** Rounds in one report, a power of two. */
    private long stretch = 1;

    /** Creates an empty history, which keeps at least half of the given number of reports. */
    RunHistory(int mostReports) {
        this.mostReports = mostReports;
    }

    /** The first round without a report. */
    long next() {
        return rounds.isEmpty() ? 0 : rounds.lastEntry().getValue().report().round() + 1;
    }

    /** Adds the report of a round. */
    void add(RoundReport report) {
        add(new RunEvent.Stretch(report, 1));
    }

    private void add(RunEvent.Stretch next) {
        long round = next.report().round();
        if (!rounds.isEmpty() && round <= rounds.lastEntry().getValue().report().round()) {
            return;
        }
        rounds.merge(round / stretch, next, RunHistory::merged);
        while (rounds.size() > mostReports) {
            lengthen(2 * stretch);
        }
    }

    /** Adds the report of an evaluation. */
    void add(EvaluationReport report) {
        evaluations.put(report.stretch(stretch), report);
        if (best == null || report.betterThan(best)) {
            best = report;
        }
        // Version 0 has no round.
        while (evaluations.size() > mostReports + 1) {
            lengthen(2 * stretch);
        }
    }

    /** Adds the report of an exchange. */
    void add(ExchangeReport report) {
        exchanges.put(report.stretch(stretch), report);
        while (exchanges.size() > mostReports) {
            lengthen(2 * stretch);
        }
    }

    /** Adds a takeover that one process reports. */
    void add(Takeover takeover) {
        for (int i = takeovers.size() - 1; i >= 0; i--) {
            if (takeovers.get(i).sameAs(takeover)) {
                takeovers.set(i, takeovers.get(i).plus(takeover));
                return;
            }
        }
        takeovers.add(takeover);
        if (takeovers.size() > MOST_TAKEOVERS) {
            takeovers.remove(0);
        }
    }

    /** Adds a failure of participants' own code. */
    void add(CodeFault fault) {
        if (codeFaults.size() < MOST_KINDS || codeFaults.containsKey(fault.kind())) {
            codeFaults.merge(fault.kind(), fault, CodeFault::plus);
        }
    }

    /** Replaces a participant's score by a newer one. */
    void add(LocalScore score) {
        scores.merge(
                score.participant(),
                score,
                (old, next) -> next.round() >= old.round() ? next : old);
    }

    /** Restores another history; nothing may have been added before. */
    void add(RunEvent.History other) {
        if (other.stretch() > stretch) {
            lengthen(other.stretch());
        }
        other.rounds().forEach(this::add);
        other.evaluations().forEach(this::add);
        other.exchanges().forEach(this::add);
        other.takeovers().forEach(this::add);
        other.codeFaults().forEach(this::add);
        other.scores().forEach(this::add);
    }

    /** The whole state, as the history of a server. */
    RunEvent.History snapshot(int server) {
        TreeMap<Long, EvaluationReport> byVersion = new TreeMap<>();
        evaluations.values().forEach(each -> byVersion.put(each.version(), each));
        if (best != null) {
            byVersion.put(best.version(), best);
        }
        return new RunEvent.History(
                server,
                stretch,
                new ArrayList<>(rounds.values()),
                new ArrayList<>(byVersion.values()),
                new ArrayList<>(exchanges.values()),
                List.copyOf(takeovers),
                List.copyOf(codeFaults.values()),
                List.copyOf(scores.values()));
    }

    private void lengthen(long length) {
        stretch = length;
        TreeMap<Long, RunEvent.Stretch> shorter = rounds;
        rounds = new TreeMap<>();
        for (RunEvent.Stretch each : shorter.values()) {
            rounds.merge(each.report().round() / stretch, each, RunHistory::merged);
        }
        TreeMap<Long, EvaluationReport> more = evaluations;
        evaluations = new TreeMap<>();
        more.values().forEach(each -> evaluations.put(each.stretch(stretch), each));
        TreeMap<Long, ExchangeReport> apart = exchanges;
        exchanges = new TreeMap<>();
        apart.values().forEach(each -> exchanges.put(each.stretch(stretch), each));
    }

    /** Merges two successive stretches. */
    private static RunEvent.Stretch merged(RunEvent.Stretch first, RunEvent.Stretch second) {
        RoundReport before = first.report();
        RoundReport last = second.report();
        double[] secondsByPhase = before.secondsByPhase().clone();
        Arrays.setAll(
                secondsByPhase, phase -> secondsByPhase[phase] + last.secondsByPhase()[phase]);
        int[] faults =
                IntStream.concat(Arrays.stream(before.faults()), Arrays.stream(last.faults()))
                        .sorted()
                        .distinct()
                        .toArray();
        return new RunEvent.Stretch(
                new RoundReport(
                        last.round(),
                        last.decidedAt(),
                        before.seconds() + last.seconds(),
                        secondsByPhase,
                        meanLoss(first, second),
                        last.learningRate(),
                        last.batchSize(),
                        last.rows(),
                        last.selected(),
                        faults,
                        last.workers(),
                        last.f(),
                        last.progress(),
                        last.bases(),
                        before.overtime() || last.overtime(),
                        last.refused().isEmpty() ? before.refused() : last.refused()),
                first.rounds() + second.rounds());
    }

    /** The mean loss of two stretches; a stretch without a reported loss does not count. */
    private static double meanLoss(RunEvent.Stretch first, RunEvent.Stretch second) {
        double before = first.report().loss();
        double last = second.report().loss();
        if (Double.isNaN(before) || Double.isNaN(last)) {
            return Double.isNaN(last) ? before : last;
        }
        long rounds = first.rounds() + second.rounds();
        return (before * first.rounds() + last * second.rounds()) / rounds;
    }
}
