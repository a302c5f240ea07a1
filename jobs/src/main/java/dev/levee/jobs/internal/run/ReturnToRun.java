package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.jobs.internal.run.LeftCluster.Seen;
import dev.levee.jobs.internal.run.cluster.SessionClients;
import dev.levee.jobs.internal.run.follow.JobProgress;
import dev.levee.jobs.internal.run.follow.JobProgress.Snapshot;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.k8s.flink.queue.QueueState;
import dev.levee.k8s.flink.queue.QueueState.Phase;
import dev.levee.k8s.flink.queue.RunQueue;

import org.apache.flink.api.common.JobID;
import org.apache.flink.core.execution.JobClient;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A detached training that a command reconnects to. */
public final class ReturnToRun implements LeftRun {
    /** The words for a canceled run that its allocator has not removed yet. */
    public static final String LEAVING =
            "was canceled: its allocator removes it at its next decision";

    private static final long LOOK_MILLIS = 1000;

    private final OutputLayout layout;
    private final RunRecord record;
    private final LeftCluster cluster;

    /** Opens the training in a folder. */
    public ReturnToRun(LeftFolder folder) {
        this.record = folder.record();
        this.layout = record.layout(folder.root());
        this.cluster = new LeftCluster(record);
    }

    @Override
    public void attach(Terminal terminal) throws Exception {
        SubmittedRun run = new SubmittedRun(layout, record, terminal);
        if (run.unfinished()) {
            LeftCluster.follow(
                    terminal,
                    layout.root(),
                    () -> {
                        if (record.queue() == null) {
                            follow(run, terminal);
                        } else {
                            followLine(run, terminal);
                        }
                    });
        }
        run.conclude();
    }

    private void follow(SubmittedRun run, Terminal terminal) throws Exception {
        cluster.await(run.goOn(Optional.empty()), terminal);
        List<JobClient> jobs = new ArrayList<>();
        for (int index : record.submitted()) {
            JobID id = JobID.fromHexString(record.jobs().get(index).id());
            jobs.add(SessionClients.job(cluster.rest().address(), id));
        }
        run.follow(cluster.rest(), jobs, Optional::empty);
    }

    /**
     * Follows a queued run through all pauses. Its jobs come and go, and only its queue entry knows
     * whether another will follow.
     */
    private void followLine(SubmittedRun run, Terminal terminal)
            throws IOException, InterruptedException {
        RunRecord.Job job = record.jobs().get(0);
        while (RunFiles.complete(layout).isEmpty()) {
            boolean left =
                    line().find(job.id())
                            .map(entry -> entry.state().phase() == Phase.ENDED || entry.cancelled())
                            .orElse(true);
            State now = state(job);
            if (left && RunFiles.complete(layout).isEmpty()) {
                run.tellTrackers();
                throw new IllegalStateException(now.rule() + " " + now.about());
            }
            terminal.progress(now.rule() + ": " + now.state() + ", " + now.about());
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    @Override
    public List<State> status() throws IOException {
        List<State> states = new ArrayList<>();
        for (int index = 0; index < record.jobs().size(); index++) {
            RunRecord.Job job = record.jobs().get(index);
            Optional<Summary> summary = new RunFiles(layout.directory(index)).summary();
            states.add(
                    summary.isPresent()
                            ? new State(job.rule(), "FINISHED", results(summary.get()), true, true)
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
            return new State(job.rule(), "NONE", "was not submitted", false, true);
        }
        if (record.queue() == null) {
            return state(job, job.id());
        }
        Optional<RunQueue.Entry> entry = line().find(job.id());
        if (entry.isEmpty()) {
            return new State(
                    job.rule(), "LOST", "is no longer in the queue " + record.queue(), false, true);
        }
        return inLine(job, entry.get());
    }

    private State inLine(RunRecord.Job job, RunQueue.Entry entry) throws IOException {
        QueueState now = entry.state();
        if (now.phase() == Phase.ENDED) {
            return new State(job.rule(), "ENDED", now.why(), false, true);
        }
        if (entry.cancelled()) {
            return cancelled(job, entry);
        }
        boolean served = line().served().isPresent();
        String unserved = served ? "" : "; no allocator serves the queue " + record.queue();
        return switch (now.phase()) {
            case WAITING, STARTING ->
                    new State(job.rule(), "QUEUED", now.why() + unserved, served, false);
            case PAUSING ->
                    new State(
                            job.rule(),
                            "PAUSING",
                            "is stopping with a savepoint; it resumes from it at its next turn"
                                    + unserved,
                            served,
                            false);
            default -> {
                State running = state(job, entry.job());
                yield switch (running.state()) {
                    case "LOST" ->
                            new State(
                                    job.rule(),
                                    "LOST",
                                    "%s; it will resume from its newest checkpoint%s"
                                            .formatted(running.about(), unserved),
                                    served,
                                    false);
                    case UNKNOWN -> new State(job.rule(), UNKNOWN, running.about(), false, false);
                    default -> running;
                };
            }
        };
    }

    /** A canceled run that has a job may compute and write until the job has ended. */
    private State cancelled(RunRecord.Job job, RunQueue.Entry entry) {
        State last = entry.state().phase() == Phase.WAITING ? null : state(job, entry.job());
        boolean ended = last == null || last.ended();
        return new State(job.rule(), ended ? "CANCELED" : last.state(), LEAVING, false, ended);
    }

    private RunQueue line() {
        return RunQueue.in(Path.of(record.queue()));
    }

    private State state(RunRecord.Job job, String id) {
        return cluster.state(
                job.rule(),
                id,
                () -> {
                    Snapshot now = new JobProgress(cluster.rest(), id, job.privacy()).now();
                    return new Seen(now.status(), progress(now));
                });
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

    @Override
    public void cancel(Terminal terminal) throws IOException {
        int cancelled = 0;
        for (int index : record.submitted()) {
            RunRecord.Job job = record.jobs().get(index);
            if (record.queue() == null ? cluster.cancel(job.rule(), job.id()) : cancelQueued(job)) {
                cancelled++;
            }
        }
        Optional<String> goOn = new SubmittedRun(layout, record, terminal).goOn(Optional.empty());
        LeftCluster.sayCancelled(cancelled, goOn, terminal);
    }

    /**
     * Cancels a queued run, so that its allocator never starts it again. If the allocator is
     * starting it at this moment, it ends the job at its next decision. Returns false if the run
     * had already left the queue, or has results.
     */
    private boolean cancelQueued(RunRecord.Job job) throws IOException {
        Optional<RunQueue.Entry> entry = line().find(job.id());
        if (entry.isEmpty()
                || entry.get().state().phase() == Phase.ENDED
                || !line().cancel(job.id())) {
            return false;
        }
        if (entry.get().state().phase() != Phase.WAITING) {
            cluster.cancel(job.rule(), entry.get().job()); // unless it was paused in the meantime
        }
        return RunFiles.complete(layout).isEmpty();
    }
}
