package dev.levee.jobs.internal.cli.view;

import static java.util.Comparator.comparing;

import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.k8s.allocator.AllocatorLoop;
import dev.levee.k8s.allocator.ClusterObservation;
import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobPhase;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.Observation;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Prints the decisions of an allocator: a line for each change, or a table of all jobs with
 * reasons.
 */
public final class AllocationReport implements AllocatorLoop.Listener {
    private final Terminal terminal;
    private final Clock clock;
    private final boolean explain;
    private final Set<String> known = new HashSet<>();
    private final Set<String> waiting = new HashSet<>();

    public AllocationReport(Terminal terminal, Clock clock, boolean explain) {
        this.terminal = terminal;
        this.clock = clock;
        this.explain = explain;
    }

    @Override
    public void observed(ClusterObservation sighting) {
        Map<String, JobPhase> phases = new HashMap<>();
        sighting.jobs().forEach(seen -> phases.put(seen.spec().id(), seen.phase()));
        for (String job : known.stream().sorted().toList()) {
            JobPhase phase = phases.get(job);
            if (phase == JobPhase.FAILED) {
                line(job, "has failed");
            } else if (phase == null || phase == JobPhase.FINISHED) {
                line(job, "has ended");
            }
        }
        known.removeIf(job -> !phases.containsKey(job) || phases.get(job).ended());
        waiting.retainAll(known);
    }

    @Override
    public void decided(ClusterObservation sighting, List<Decision> decisions) {
        Map<String, Observation> jobs =
                sighting.jobs().stream()
                        .collect(Collectors.toMap(seen -> seen.spec().id(), seen -> seen));
        if (explain) {
            table(sighting, jobs, decisions);
        }
        for (Decision decision : decisions) {
            boolean isNew = known.add(decision.job());
            boolean waits = decision.workers() == 0;
            boolean news =
                    isNew | (waits ? waiting.add(decision.job()) : waiting.remove(decision.job()));
            Observation seen = jobs.get(decision.job());
            if (!explain && (news || changed(seen, decision))) {
                line(decision.job(), sentence(seen, decision));
            }
        }
    }

    @Override
    public void failed(String sentence) {
        terminal.say(now() + "  " + sentence);
    }

    /** Prints an event that is no decision. */
    public void happened(String sentence) {
        terminal.say(now() + "  " + sentence);
    }

    private static boolean changed(Observation seen, Decision decision) {
        return seen.workers() != decision.workers() || seen.localBatch() != decision.localBatch();
    }

    private static String sentence(Observation seen, Decision decision) {
        if (decision.workers() == 0) {
            return seen.workers() > 0 ? "is paused" : "waits";
        }
        String workers =
                seen.workers() == 0
                        ? "starts with " + count(decision.workers(), "worker")
                        : workers(seen, decision) + " workers";
        if (Double.isNaN(decision.learningRate())) {
            return workers; // the job has not reported its settings yet
        }
        return workers + ", batch " + batch(seen, decision) + ", learning rate " + rate(decision);
    }

    private void table(
            ClusterObservation sighting, Map<String, Observation> jobs, List<Decision> decisions) {
        List<List<String>> lines = new ArrayList<>();
        Map<String, Integer> places = places(jobs, decisions);
        lines.add(List.of("place", "job", "workers", "batch", "learning rate", "why"));
        for (Decision each : decisions) {
            Observation seen = jobs.get(each.job());
            lines.add(
                    List.of(
                            places.containsKey(each.job())
                                    ? String.valueOf(places.get(each.job()))
                                    : "-",
                            each.job(),
                            workers(seen, each),
                            Double.isNaN(each.learningRate()) ? "-" : batch(seen, each),
                            each.workers() == 0 ? "-" : rate(each),
                            each.why()));
        }
        StringWriter text = new StringWriter();
        Columns.print(new PrintWriter(text, true), lines);
        terminal.result(
                "%s  %s, %s%n%s"
                        .formatted(
                                now(),
                                count(sighting.slots(), "slot"),
                                count(decisions.size(), "job"),
                                decisions.isEmpty() ? "" : text)
                        .stripTrailing());
    }

    /** Positions of the waiting jobs in the queue, in order of submission. */
    private static Map<String, Integer> places(
            Map<String, Observation> jobs, List<Decision> decisions) {
        List<JobSpec> waiting =
                decisions.stream()
                        .filter(each -> each.workers() == 0)
                        .map(each -> jobs.get(each.job()))
                        .filter(seen -> !seen.phase().ended())
                        .map(Observation::spec)
                        .sorted(comparing(JobSpec::submitted).thenComparing(JobSpec::id))
                        .toList();
        Map<String, Integer> places = new HashMap<>();
        for (JobSpec each : waiting) {
            places.put(each.id(), places.size() + 1);
        }
        return places;
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private static String workers(Observation seen, Decision decision) {
        return change(seen.workers(), decision.workers());
    }

    private static String batch(Observation seen, Decision decision) {
        return change(seen.localBatch(), decision.localBatch());
    }

    private static String change(int before, int after) {
        return before == after ? String.valueOf(after) : before + " to " + after;
    }

    private static String rate(Decision decision) {
        return Double.isNaN(decision.learningRate())
                ? "-"
                : String.format(Locale.ROOT, "%.4g", decision.learningRate());
    }

    private void line(String job, String sentence) {
        terminal.result(now() + "  job " + job + " " + sentence);
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
