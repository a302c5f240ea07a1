package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.cluster.Home;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.RunView;
import dev.levee.k8s.flink.rest.Await;
import dev.levee.k8s.flink.rest.FlinkRest;
import dev.levee.operators.flink.TrainingJob;

import org.apache.flink.core.execution.JobClient;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/** One invocation of {@code levee train} or {@code serve}, from its first line to its last. */
public final class PlanRun {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Who interrupts waits less long than who has just begun. */
    private static final Duration LAST_PATIENCE = Duration.ofSeconds(15);

    private final RunPlan plan;
    private final Terminal terminal;
    private final List<String> arguments;
    private final SubmittedJobs jobs = new SubmittedJobs();
    private volatile EmbeddedCluster cluster;
    private volatile boolean over;
    private volatile boolean stopping;

    /**
     * @param arguments what the user typed, for the hint on how to resume
     */
    public PlanRun(RunPlan plan, Terminal terminal, List<String> arguments) {
        this.plan = plan;
        this.terminal = terminal;
        this.arguments = List.copyOf(arguments);
    }

    /** Trains, and returns when all is written; a failure of any run is thrown. */
    public void run() throws Exception {
        log();
        terminal.say(plan.description());
        List<Integer> pending = plan.pending();
        for (int index : pending) {
            RunFiles files = new RunFiles(plan.layout().directory(index));
            files.forget();
            if (plan.deployment().resume() == null) {
                files.forgetControl();
            }
        }
        Thread interrupted = new Thread(this::interrupted, "interrupted");
        Runtime.getRuntime().addShutdownHook(interrupted);
        try {
            URI address = connect();
            FlinkRest rest = new FlinkRest(address);
            RunPlan placed = plan.on(freeSlots(rest) / Math.max(1, pending.size()));
            for (int index : pending) {
                jobs.submit(() -> Submission.to(address, jars(), placed, index));
            }
            follow(rest, pending);
            succeed(pending);
        } catch (Exception e) {
            if (stopping) {
                // The jobs were cancelled, which the shutdown hook tells the user; this thread
                // waits for the process to end.
                Thread.currentThread().join();
            }
            throw e;
        } finally {
            if (!stopping) {
                over = true;
                Runtime.getRuntime().removeShutdownHook(interrupted);
                if (cluster != null) {
                    cluster.close();
                }
            }
        }
    }

    private void log() throws Exception {
        Optional<Path> output = local(plan.layout().root());
        Path directory =
                output.isPresent() ? output.get() : Files.createTempDirectory("levee-log-");
        Files.createDirectories(directory);
        Logs.to(directory.resolve("levee.log"));
        if (output.isEmpty()) {
            terminal.say("Log: " + directory.resolve("levee.log"));
        }
    }

    private URI connect() throws Exception {
        if (!plan.deployment().embedded()) {
            URI target = URI.create(plan.deployment().target());
            try {
                new FlinkRest(target).get("/overview");
            } catch (IOException e) {
                throw new IllegalStateException(
                        "--target " + target + " does not answer like a Flink cluster", e);
            }
            terminal.say("Flink's web UI is at " + target);
            return target;
        }
        int slots = plan.deployment().parallelism() * plan.trainings().size();
        cluster = EmbeddedCluster.start(plan.deployment(), slots);
        URI address = cluster.address();
        FlinkRest rest = new FlinkRest(address);
        boolean ready =
                Await.until(
                        PATIENCE, () -> rest.get("/overview").path("slots-total").asInt() == slots);
        if (!ready) {
            throw new IllegalStateException(
                    "the embedded cluster was not ready within " + PATIENCE.toSeconds() + " s");
        }
        terminal.say("Flink's web UI is at " + address);
        return address;
    }

    private List<Path> jars() {
        return plan.deployment().embedded() ? List.of() : Home.find().jobJars();
    }

    /** Slots that a job may use, at least one. */
    private static int freeSlots(FlinkRest rest) throws IOException {
        int free = rest.get("/overview").path("slots-available").asInt();
        return Math.max(1, Math.min(free, TrainingJob.MAX_PARALLELISM));
    }

    private void follow(FlinkRest rest, List<Integer> pending) throws Exception {
        List<String> rules =
                pending.stream().map(index -> plan.trainings().get(index).rule().name()).toList();
        Follower follower = new Follower(rest, rules, plan.config().rounds(), terminal);
        for (JobClient job : jobs.all()) {
            follower.add(job);
        }
        follower.untilAllEnd();
        List<JobClient> submitted = jobs.all();
        for (int i = 0; i < submitted.size(); i++) {
            try {
                submitted.get(i).getJobExecutionResult().get();
            } catch (ExecutionException e) {
                requireResults(rest, pending, e);
                if (e.getCause() instanceof Exception cause) {
                    throw cause;
                }
                throw e;
            }
        }
        requireResults(rest, pending, null);
    }

    /**
     * Says what became of the runs that have left no results, if the cluster or somebody else ended
     * them, and how to go on.
     *
     * @param failure of one of them, null if none has failed
     */
    private void requireResults(FlinkRest rest, List<Integer> pending, Exception failure)
            throws IOException {
        List<String> sentences = new ArrayList<>();
        Optional<String> savepoint = Optional.empty();
        for (int i = 0; i < pending.size(); i++) {
            int index = pending.get(i);
            if (new RunFiles(plan.layout().directory(index)).read().isPresent()) {
                continue;
            }
            Optional<Ending> ending = Ending.of(rest, jobs.all().get(i).getJobID().toString());
            if (ending.isPresent()) {
                sentences.add(
                        "the job of %s %s"
                                .formatted(
                                        plan.trainings().get(index).rule().name(),
                                        ending.get().sentence()));
                savepoint = savepoint.or(ending.get()::savepoint);
            }
        }
        if (sentences.isEmpty()) {
            return;
        }
        boolean checkpoints = Checkpoints.ofAll(plan.checkpoints(), unfinished());
        String resume = null;
        if (savepoint.isPresent() && plan.trainings().size() == 1) {
            resume = savepoint.get();
        } else if (checkpoints) {
            resume = plan.checkpoints();
        }
        boolean possible = resume != null || plan.workers().survives();
        throw new IllegalStateException(
                String.join("; ", sentences)
                        + (possible
                                ? ". Go on with: " + goOn(resume)
                                : ", before its first checkpoint"),
                failure);
    }

    private void succeed(List<Integer> pending) throws IOException {
        List<RunView> runs = RunFiles.complete(plan.layout());
        if (runs.size() < plan.trainings().size()) {
            throw new IllegalStateException(
                    "the results in "
                            + plan.layout().root()
                            + " cannot be read from here; the cluster may have a file system of"
                            + " its own");
        }
        terminal.result(ResultTable.of(runs));
        terminal.result("Report: " + shown(new RunFiles(plan.layout().root()).report().toString()));
        Optional<Path> checkpoints = local(plan.layout().root() + "/checkpoints");
        if (plan.deployment().checkpointDir() == null && checkpoints.isPresent()) {
            List<JobClient> submitted = jobs.all();
            for (int i = 0; i < submitted.size(); i++) {
                Checkpoints.delete(
                        checkpoints.get(),
                        plan.layout().name(pending.get(i)),
                        submitted.get(i).getJobID().toString());
            }
        }
    }

    /** The user has pressed Ctrl-C, or the machine goes down. */
    private void interrupted() {
        if (over) {
            return;
        }
        stopping = true;
        try {
            if (jobs.close()) {
                terminal.say("Interrupted. A job is being submitted, which is then cancelled.");
            }
            jobs.cancel(LAST_PATIENCE);
            if (cluster != null) {
                cluster.close();
            }
            boolean checkpoints = Checkpoints.ofAll(plan.checkpoints(), unfinished());
            terminal.say(
                    checkpoints || plan.workers().survives()
                            ? "Interrupted. Go on with: "
                                    + goOn(checkpoints ? plan.checkpoints() : null)
                            : "Interrupted before the first checkpoint.");
        } catch (Exception e) {
            terminal.say("Interrupted. What was running may still run: " + e);
        }
    }

    private List<String> unfinished() throws IOException {
        List<String> unfinished = new ArrayList<>();
        for (int index = 0; index < plan.trainings().size(); index++) {
            if (new RunFiles(plan.layout().directory(index)).read().isEmpty()) {
                unfinished.add(plan.layout().name(index));
            }
        }
        return unfinished;
    }

    /**
     * The command that goes on with these runs.
     *
     * @param resume from where, null if what is published says it
     */
    private String goOn(String resume) {
        List<String> words = new ArrayList<>(List.of("levee"));
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            if (word.equals("--resume") || word.equals("--output")) {
                i++;
            } else if (!word.matches("--(resume|output)=.*|--new")) {
                words.add(quoted(word));
            }
        }
        words.add("--output " + quoted(shown(plan.layout().root())));
        if (resume != null) {
            words.add("--resume " + quoted(shown(resume)));
        }
        return String.join(" ", words);
    }

    /** A word as a shell reads it. */
    static String quoted(String word) {
        return word.matches("[\\w./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private static String shown(String uri) {
        return local(uri).map(Path::toString).orElse(uri);
    }

    private static Optional<Path> local(String uri) {
        return uri.startsWith("file:") ? Optional.of(Path.of(URI.create(uri))) : Optional.empty();
    }
}
