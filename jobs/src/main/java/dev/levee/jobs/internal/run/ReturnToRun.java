package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.jobs.internal.run.cluster.SessionClients;
import dev.levee.jobs.internal.run.follow.JobProgress;
import dev.levee.jobs.internal.run.follow.JobProgress.Snapshot;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.k8s.flink.queue.QueueState;
import dev.levee.k8s.flink.queue.QueueState.Phase;
import dev.levee.k8s.flink.queue.RunQueue;
import dev.levee.k8s.flink.rest.Await;
import dev.levee.k8s.flink.rest.FlinkRest;
import dev.levee.k8s.flink.rest.RestException;

import org.apache.flink.api.common.JobID;
import org.apache.flink.core.execution.JobClient;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A run that somebody has submitted and comes back to, found by its output folder. */
public final class ReturnToRun {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** As long as Flink's client asks for a job that it follows. */
    private static final Duration CLUSTER_PATIENCE = Duration.ofMinutes(1);

    /** Of a run in a line whose end somebody has asked for. */
    public static final String LEAVING =
            "was cancelled: its allocator takes it out at its next look";

    private static final String NOTHING = ", and there is no checkpoint to go on from";
    private static final long LOOK_MILLIS = 1000;
    private static final Set<String> ENDED = Set.of("FINISHED", "CANCELED", "FAILED");

    /**
     * How far one rule's job is.
     *
     * @param rule its name
     * @param state as Flink calls it, or that there is none
     * @param about what else is known, perhaps empty
     * @param well whether it runs, will run, or has left its results
     */
    public record State(String rule, String state, String about, boolean well) {}

    private final OutputLayout layout;
    private final RunRecord record;
    private final FlinkRest rest;

    private ReturnToRun(OutputLayout layout, RunRecord record) {
        this.layout = layout;
        this.record = record;
        this.rest = new FlinkRest(URI.create(record.cluster()));
    }

    /**
     * The run in a folder.
     *
     * @param folder its {@code --output}, or the name of a folder below {@code levee-runs}
     * @throws IllegalArgumentException if there is none; one sentence
     */
    public static ReturnToRun in(String folder) throws IOException {
        for (String each : List.of(folder, "levee-runs/" + folder)) {
            String root = OutputLayout.absolute(each);
            Optional<RunRecord> record = new RunFiles(root).record();
            if (record.isPresent()) {
                return new ReturnToRun(record.get().layout(root), record.get());
            }
        }
        throw new IllegalArgumentException(
                folder
                        + " is no folder of a run, for there is no run.json in it; levee runs lists"
                        + " those below a folder");
    }

    /**
     * Follows its jobs until they end and shows their results, or shows them at once if they have.
     *
     * @throws Exception the failure of one of them, or a sentence about what became of it
     */
    public void attach(Terminal terminal) throws Exception {
        SubmittedRun run = new SubmittedRun(layout, record, terminal);
        if (RunFiles.complete(layout).size() < record.jobs().size()) {
            Thread leaving =
                    new Thread(
                            () -> terminal.say("Left, it goes on.\n" + run.comeBack()), "leaving");
            Runtime.getRuntime().addShutdownHook(leaving);
            try {
                if (record.queue() == null) {
                    follow(run, terminal);
                } else {
                    followLine(terminal);
                }
            } finally {
                removeUnlessLeaving(leaving);
            }
        }
        run.conclude();
    }

    private void follow(SubmittedRun run, Terminal terminal) throws Exception {
        awaitCluster(run, terminal);
        terminal.say(
                "Flink's web UI is at %s; Ctrl-C leaves the run there".formatted(record.cluster()));
        List<JobClient> jobs = new ArrayList<>();
        for (int index : record.submitted()) {
            JobID id = JobID.fromHexString(record.jobs().get(index).id());
            jobs.add(SessionClients.job(rest.address(), id));
        }
        run.follow(rest, jobs, Optional::empty);
    }

    /** Through all pauses: its jobs come and go, and only its line knows whether another comes. */
    private void followLine(Terminal terminal) throws IOException, InterruptedException {
        RunRecord.Job job = record.jobs().get(0);
        while (RunFiles.complete(layout).isEmpty()) {
            boolean left =
                    line().find(job.id())
                            .map(entry -> entry.state().phase() == Phase.ENDED || entry.cancelled())
                            .orElse(true);
            State now = state(job);
            if (left && RunFiles.complete(layout).isEmpty()) {
                throw new IllegalStateException(now.rule() + " " + now.about());
            }
            terminal.progress(now.rule() + ": " + now.state() + ", " + now.about());
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private static void removeUnlessLeaving(Thread leaving) {
        try {
            Runtime.getRuntime().removeShutdownHook(leaving);
        } catch (IllegalStateException e) {
            // The process ends already, and the thread tells the user.
            return;
        }
    }

    /**
     * A JobManager that comes back goes on with its jobs, so nobody is told at once to start one
     * more.
     */
    private void awaitCluster(SubmittedRun run, Terminal terminal) throws IOException {
        if (answers()) {
            return;
        }
        Optional<String> goOn = run.goOn(Optional.empty());
        if (record.embedded()) {
            throw new IllegalStateException(
                    "the cluster at "
                            + record.cluster()
                            + " has ended with the process that it was in"
                            + goOn.map(command -> ". Go on with: " + command).orElse(NOTHING));
        }
        terminal.say(
                "The cluster at %s does not answer; waiting for it to come back"
                        .formatted(record.cluster()));
        if (!Await.until(CLUSTER_PATIENCE, this::answers)) {
            throw new IllegalStateException(
                    "the cluster at "
                            + record.cluster()
                            + " does not answer"
                            + goOn.map(
                                            command ->
                                                    ". If it has ended for good, go on with: "
                                                            + command)
                                    .orElse(NOTHING));
        }
    }

    private boolean answers() {
        try {
            rest.overview();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** How far each of its jobs is. */
    public List<State> status() throws IOException {
        List<State> states = new ArrayList<>();
        for (int index = 0; index < record.jobs().size(); index++) {
            RunRecord.Job job = record.jobs().get(index);
            Optional<Summary> summary = new RunFiles(layout.directory(index)).summary();
            states.add(
                    summary.isPresent()
                            ? new State(job.rule(), "FINISHED", results(summary.get()), true)
                            : state(job));
        }
        return states;
    }

    private static String results(Summary summary) {
        return "%d rounds, %s, loss %s"
                .formatted(
                        summary.roundsDone(),
                        summary.finalWords(),
                        Numbers.decimals(summary.finalLoss(), 3));
    }

    private State state(RunRecord.Job job) throws IOException {
        if (job.id() == null) {
            return new State(job.rule(), "NONE", "was not submitted", false);
        }
        if (record.queue() == null) {
            return state(job, job.id());
        }
        Optional<RunQueue.Entry> entry = line().find(job.id());
        if (entry.isEmpty()) {
            return new State(
                    job.rule(),
                    "LOST",
                    "is not in the line " + record.queue() + " any more",
                    false);
        }
        return inLine(job, entry.get());
    }

    private State inLine(RunRecord.Job job, RunQueue.Entry entry) throws IOException {
        QueueState now = entry.state();
        if (now.phase() == Phase.ENDED) {
            return new State(job.rule(), "ENDED", now.why(), false);
        }
        if (entry.cancelled()) {
            return new State(job.rule(), "CANCELLED", LEAVING, false);
        }
        boolean served = line().served().isPresent();
        String unserved = served ? "" : "; no allocator serves the line " + record.queue();
        return switch (now.phase()) {
            case WAITING -> new State(job.rule(), "QUEUED", now.why() + unserved, served);
            case PAUSING ->
                    new State(
                            job.rule(),
                            "PAUSING",
                            "stops with a savepoint, and goes on from it at its next turn"
                                    + unserved,
                            served);
            default -> {
                State running = state(job, entry.job());
                yield running.state().equals("LOST")
                        ? new State(
                                job.rule(),
                                "LOST",
                                "%s; it goes on from its newest checkpoint%s"
                                        .formatted(running.about(), unserved),
                                served)
                        : running;
            }
        };
    }

    private RunQueue line() {
        return RunQueue.in(Path.of(record.queue()));
    }

    private State state(RunRecord.Job job, String id) {
        try {
            Snapshot now = new JobProgress(rest, id, job.privacy()).now();
            boolean ended = ENDED.contains(now.status());
            return new State(
                    job.rule(),
                    now.status(),
                    ended ? "job " + id + " has left no results" : progress(now),
                    !ended);
        } catch (IOException e) {
            boolean lost = e instanceof RestException answer && answer.notFound();
            return new State(
                    job.rule(),
                    lost ? "LOST" : "UNKNOWN",
                    record.cluster() + (lost ? " does not know its job" : " does not answer"),
                    false);
        }
    }

    private String progress(Snapshot now) {
        return Double.isNaN(now.round())
                ? "of " + record.rounds() + " rounds"
                : "round %.0f of %d, loss %s, %s %s%s"
                        .formatted(
                                now.round(),
                                record.rounds(),
                                Numbers.decimals(now.loss(), 3),
                                now.score().label(),
                                Numbers.score(now.score(), now.scored()),
                                now.privacy().map(words -> ", " + words).orElse(""));
    }

    /**
     * Cancels those of its jobs that have not ended, and says how it could go on.
     *
     * @throws IllegalStateException if one may still run; one sentence
     */
    public void cancel(Terminal terminal) throws IOException {
        int cancelled = 0;
        for (int index : record.submitted()) {
            RunRecord.Job job = record.jobs().get(index);
            if (record.queue() == null ? cancel(job.rule(), job.id()) : cancelQueued(job)) {
                cancelled++;
            }
        }
        if (cancelled == 0) {
            terminal.say("Nothing to cancel: no job of it runs.");
            return;
        }
        Optional<String> goOn = new SubmittedRun(layout, record, terminal).goOn(Optional.empty());
        terminal.say(
                "Cancelled "
                        + (cancelled == 1 ? "its job." : cancelled + " jobs.")
                        + goOn.map(command -> " Go on with: " + command)
                                .orElse(" There is no checkpoint to go on from."));
    }

    /**
     * Its allocator never starts it again; if it is just doing so, it ends the job at its next
     * look. False if the run had left the line before, or leaves it with its results.
     */
    private boolean cancelQueued(RunRecord.Job job) throws IOException {
        Optional<RunQueue.Entry> entry = line().find(job.id());
        if (entry.isEmpty()
                || entry.get().state().phase() == Phase.ENDED
                || !line().cancel(job.id())) {
            return false;
        }
        if (entry.get().state().phase() != Phase.WAITING) {
            cancel(job.rule(), entry.get().job()); // unless it has been paused meanwhile
        }
        return RunFiles.complete(layout).isEmpty();
    }

    /** False if the job had ended before. */
    private boolean cancel(String rule, String job) throws IOException {
        try {
            if (ENDED.contains(flink(job))) {
                return false;
            }
            rest.patch("/jobs/" + job);
        } catch (RestException e) {
            if (e.notFound()) {
                return false;
            }
            throw e;
        } catch (IOException e) {
            throw new IllegalStateException(
                    "the cluster at %s does not answer, so the job of %s may still run"
                            .formatted(record.cluster(), rule),
                    e);
        }
        if (!Await.until(PATIENCE, () -> ENDED.contains(flink(job)))) {
            throw new IllegalStateException(
                    "the job of %s has not ended within %d s of being cancelled"
                            .formatted(rule, PATIENCE.toSeconds()));
        }
        return true;
    }

    private String flink(String job) throws IOException {
        return rest.get("/jobs/" + job).path("state").asText();
    }
}
