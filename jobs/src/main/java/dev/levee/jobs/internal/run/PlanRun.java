package dev.levee.jobs.internal.run;

import dev.levee.federated.FederatedRun;
import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.report.Tracking;
import dev.levee.jobs.internal.run.cluster.OpenCluster;
import dev.levee.jobs.internal.run.follow.Logs;
import dev.levee.jobs.internal.run.follow.OutOfMemoryLog;
import dev.levee.jobs.internal.run.follow.ShutdownHook;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.jobs.internal.tracking.Trackers;
import dev.levee.k8s.flink.queue.QueuedRun;
import dev.levee.k8s.flink.queue.RunQueue;
import dev.levee.k8s.flink.rest.FlinkRest;
import dev.levee.learners.Model;
import dev.levee.operators.flink.TrainingJob;
import dev.levee.operators.rounds.pipeline.PipelinedModel;

import org.apache.flink.core.execution.JobClient;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One invocation of {@code levee train} or {@code serve}, from its first to its last line of
 * output.
 */
public final class PlanRun {
    /** MLflow's experiment if the user names none. */
    private static final String EXPERIMENT = "levee";

    private final RunPlan plan;
    private final Terminal terminal;
    private final List<String> arguments;
    private final boolean detached;
    private final RunQueue queue;
    private final List<Integer> pending;
    private final MemoryNeed memory;
    private final Map<String, String> sources;
    private final List<Double> guessingLosses = new ArrayList<>();
    private final List<List<String>> earlier = new ArrayList<>();
    private final Instant started;
    private final SubmittedJobs jobs = new SubmittedJobs();
    private volatile OpenCluster cluster;
    private volatile URI address;
    private volatile Tracking tracking = Tracking.NONE;
    private String queued;
    private volatile boolean stopping;

    /**
     * @param arguments the arguments that the user typed, for the hint on how to resume
     * @param detached true to return as soon as the jobs are submitted
     * @param queue the queue in which the run waits for an allocator; null to submit it directly
     */
    public PlanRun(
            RunPlan plan,
            Terminal terminal,
            List<String> arguments,
            boolean detached,
            RunQueue queue)
            throws IOException {
        this.plan = plan.deployment().output() == null ? reserved(plan) : plan;
        this.terminal = terminal;
        this.arguments = List.copyOf(arguments);
        this.detached = detached;
        this.queue = queue;
        this.pending = this.plan.pending();
        this.memory = this.plan.memory();
        this.sources = SourceFiles.digests(plan.config().model(), plan.config().dataset());
        for (int index = 0; index < plan.trainings().size(); index++) {
            guessingLosses.add(plan.guessingLoss(index));
            earlier.add(LeftFolder.earlierJobs(this.plan, index));
        }
        this.started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    }

    /** Returns the plan in a new folder, which no run of the same second shares. */
    private static RunPlan reserved(RunPlan plan) throws IOException {
        return new RunPlan(
                plan.config(),
                plan.deployment(),
                plan.trainings(),
                plan.layout().reserved(),
                plan.workers(),
                plan.audit());
    }

    /**
     * Trains the runs. Returns after all results are written, or after submission if detached.
     * Throws the failure of any run.
     */
    public void run() throws Exception {
        Logs.in(plan.layout().root(), terminal);
        terminal.say(plan.description());
        String resume = plan.deployment().resume();
        if (resume != null) {
            SourceFiles.edited(sources, resume, plan.layout().root()).forEach(terminal::say);
        }
        try (ShutdownHook interrupted = new ShutdownHook(this::interrupted)) {
            address = connect();
            tracking = track();
            forgetEarlier();
            if (queue != null) {
                enqueue();
                return;
            }
            FlinkRest rest = new FlinkRest(address);
            RunPlan placed = plan.on(freeSlots(rest) / Math.max(1, pending.size()));
            for (int index : pending) {
                jobs.submit(() -> Submission.to(address, placed, index));
                save();
            }
            SubmittedRun submitted = new SubmittedRun(plan.layout(), record(), terminal);
            if (detached) {
                terminal.result(submitted.comeBack());
            } else {
                submitted.follow(rest, jobs.all(), plan.workers()::trouble);
                submitted.conclude();
            }
        } catch (Exception e) {
            if (stopping) {
                // The shutdown hook prints what happens to the jobs; this thread only waits for the
                // end of the process.
                Thread.currentThread().join();
            }
            tellUnsubmitted();
            if (MemoryNeed.ranOut(e)) {
                throw new IllegalStateException(exhausted(), e);
            }
            throw e;
        } finally {
            if (!stopping && cluster != null) {
                cluster.close();
            }
        }
    }

    /** Deletes results of earlier runs, once it is known where the new ones will be computed. */
    private void forgetEarlier() throws IOException {
        for (int index : pending) {
            RunFiles files = new RunFiles(plan.layout().directory(index));
            files.forget();
            if (plan.deployment().resume() == null) {
                files.forgetControl();
                files.forgetAudit();
                files.forgetImages();
                files.forgetServers();
            }
        }
        for (int index : pending) {
            plan.auditWords(index).ifPresent(terminal::say);
        }
    }

    private String exhausted() throws IOException {
        return memory.exhausted(plan, MemoryNeed.available(plan));
    }

    private void enqueue() throws Exception {
        queued = QueuedRun.newId();
        QueuedPlan.prepare(queue, queued, plan);
        RunRecord record = save(); // before the run can start, so that it can be found
        QueuedPlan.add(queue, queued, plan, started);
        String folder = queue.folder().equals(LeveeHome.find().queue()) ? "" : " " + queue.folder();
        terminal.result(
                "Queued as job %s; the allocator starts it. See the queue with: levee queue%s%n%s"
                        .formatted(
                                queued,
                                folder,
                                new SubmittedRun(plan.layout(), record, terminal).comeBack()));
    }

    private Tracking track() {
        SortedMap<Integer, Map<String, Object>> configurations = new TreeMap<>();
        for (int index : pending) {
            configurations.put(index, plan.configurationOf(index));
        }
        String directory = plan.deployment().tensorboard();
        String experiment = plan.deployment().mlflowExperiment();
        return Trackers.begin(
                new Tracking(
                        directory == null ? null : Path.of(directory).toAbsolutePath().toString(),
                        plan.deployment().mlflow(),
                        List.of(),
                        false),
                experiment == null ? EXPERIMENT : experiment,
                plan.layout(),
                configurations);
    }

    private URI connect() throws Exception {
        Integer parallelism = plan.deployment().parallelism();
        int slots = parallelism == null ? 1 : parallelism * plan.trainings().size();
        cluster = OpenCluster.of(plan.deployment(), slots);
        terminal.say(cluster.webUi(!detached && queue == null));
        return cluster.address();
    }

    /** Number of slots that a job may use, at least one. */
    private static int freeSlots(FlinkRest rest) throws IOException {
        int free = rest.overview().path("slots-available").asInt();
        return Math.max(1, Math.min(free, TrainingJob.MAX_PARALLELISM));
    }

    /**
     * Handles Ctrl-C, the end of the terminal, and a shutdown of the machine. Jobs on a remote
     * cluster continue; a cluster in this process ends with it.
     */
    private void interrupted() {
        stopping = true;
        try {
            if (OutOfMemoryLog.seen()) {
                terminal.say(exhausted()); // Flink ends the process, so nothing is thrown
            } else if (!plan.deployment().embedded()) {
                leave();
            } else {
                end();
            }
        } catch (Exception e) {
            terminal.say("Interrupted. The job may still be running: " + e);
        }
    }

    private void leave() throws Exception {
        jobs.awaitLast(plan.deployment(), terminal);
        tellUnsubmitted();
        if (jobs.all().isEmpty()) {
            terminal.say("Interrupted before a job was submitted.");
            return;
        }
        RunRecord saved = save();
        int missing = pending.size() - saved.submitted().size();
        terminal.say(
                "Interrupted; the %s at %s%s.%n%s"
                        .formatted(
                                saved.submitted().size() == 1 ? "job continues" : "jobs continue",
                                saved.cluster(),
                                missing == 0 ? "" : ", but " + missing + " were not submitted",
                                new SubmittedRun(plan.layout(), saved, terminal).comeBack()));
    }

    private void end() throws Exception {
        jobs.close();
        jobs.cancel(SubmittedJobs.LAST_PATIENCE);
        if (cluster != null) {
            cluster.close();
        }
        SubmittedRun submitted = new SubmittedRun(plan.layout(), record(), terminal);
        submitted.tellTrackers();
        tellUnsubmitted();
        terminal.say(
                submitted
                        .goOn(Optional.empty())
                        .map(command -> "Interrupted. Continue with: " + command)
                        .orElse("Interrupted before the first checkpoint."));
    }

    /** Tells the trackers that the pending runs without a job have ended. */
    private void tellUnsubmitted() {
        Trackers trackers = Trackers.of(record(), plan.layout(), terminal::say);
        pending.stream().skip(jobs.all().size()).forEach(trackers::failed);
    }

    /** Writes the record of what was submitted so far, for commands that reconnect to the run. */
    private synchronized RunRecord save() throws IOException {
        RunRecord record = record();
        new RunFiles(plan.layout().root()).write(record);
        return record;
    }

    private RunRecord record() {
        Model model = plan.trainings().get(0).model();
        List<JobClient> submitted = jobs.all();
        List<RunRecord.Job> all = new ArrayList<>();
        for (int index = 0; index < plan.trainings().size(); index++) {
            int place = pending.indexOf(index);
            boolean runs = place >= 0 && place < submitted.size();
            all.add(
                    new RunRecord.Job(
                            plan.name(index),
                            runs ? submitted.get(place).getJobID().toString() : queued,
                            FederatedRun.find(plan.trainings().get(index))
                                    .flatMap(FederatedRun::privacyLoss)
                                    .orElse(null),
                            guessingLosses.get(index),
                            earlier.get(index)));
        }
        return new RunRecord(
                arguments,
                started.toString(),
                String.valueOf(address),
                plan.deployment().embedded(),
                plan.config().rounds(),
                null,
                null,
                plan.checkpoints(),
                plan.deployment().checkpointDir() == null,
                plan.workers().survives(),
                tracking,
                queue == null ? null : queue.folder().toString(),
                sources,
                model.layout().size(),
                model instanceof PipelinedModel pipeline ? pipeline.lastLayers() : null,
                all);
    }
}
