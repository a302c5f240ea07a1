package dev.levee.jobs.internal.run;

import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.run.follow.ReportedJobEnd;
import dev.levee.jobs.internal.run.follow.ShutdownHook;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.k8s.flink.rest.Await;
import dev.levee.k8s.flink.rest.FlinkRest;
import dev.levee.k8s.flink.rest.RestException;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** The cluster of a detached run, for commands that reconnect to the run. */
public final class LeftCluster {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final String ENDED_WITH_PROCESS = " has ended with the process that it was in";
    private static final String NOTHING = ", and there is no checkpoint to resume from";
    private static final Set<String> ENDED = Set.of("FINISHED", "CANCELED", "FAILED");

    /**
     * The state of a job.
     *
     * @param status status as Flink names it
     * @param progress progress in words
     */
    public record Seen(String status, String progress) {}

    /** Queries the state of a job. */
    @FunctionalInterface
    public interface Look {
        Seen now() throws IOException;
    }

    /** Follows a run. */
    @FunctionalInterface
    public interface Following {
        void run() throws Exception;
    }

    private final RunRecord record;
    private final FlinkRest rest;

    /** Connects to the cluster that a record names. */
    public LeftCluster(RunRecord record) {
        this.record = record;
        this.rest = new FlinkRest(URI.create(record.cluster()));
    }

    /** The cluster's REST interface. */
    public FlinkRest rest() {
        return rest;
    }

    /** Follows a run. If the user interrupts this process, prints the commands that reconnect. */
    public static void follow(Terminal terminal, String root, Following following)
            throws Exception {
        String hint = "Detached; the run continues.\n" + RunHints.comeBack(root);
        try (ShutdownHook leaving = new ShutdownHook(() -> terminal.say(hint))) {
            following.run();
        }
    }

    /**
     * Waits until the cluster answers, and prints its address. A restarted JobManager continues its
     * jobs, so the user is not advised at once to start another.
     *
     * @param goOn the command that continues the run elsewhere, if there is one
     * @throws IllegalStateException if the cluster is gone; one sentence
     */
    public void await(Optional<String> goOn, Terminal terminal) {
        if (!answers()) {
            awaitReturn(goOn, terminal);
        }
        terminal.say(
                "Flink's web UI is at %s; Ctrl-C detaches from the run"
                        .formatted(record.cluster()));
    }

    private void awaitReturn(Optional<String> goOn, Terminal terminal) {
        if (record.embedded()) {
            throw new IllegalStateException(
                    "the cluster at "
                            + record.cluster()
                            + ENDED_WITH_PROCESS
                            + goOn.map(command -> ". Continue with: " + command).orElse(NOTHING));
        }
        terminal.say(
                "The cluster at "
                        + record.cluster()
                        + " does not answer; waiting for it to come back");
        if (!Await.until(LocalCluster.PATIENCE, this::answers)) {
            throw new IllegalStateException(
                    "the cluster at "
                            + record.cluster()
                            + " does not answer"
                            + goOn.map(
                                            command ->
                                                    ". If the cluster will not come back, continue"
                                                            + " with: "
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

    /** True if nothing listens at the cluster's address. */
    boolean gone() {
        try {
            rest.overview();
            return false;
        } catch (IOException e) {
            return refused(e);
        }
    }

    private static boolean refused(IOException e) {
        return e.getCause() instanceof ConnectException;
    }

    /** True if the cluster was in a process that no longer listens. */
    private boolean endedWithProcess(IOException e) {
        return record.embedded() && refused(e);
    }

    /**
     * The state of a job that has no results. Without an answer, it has ended only if it was in a
     * process that no longer listens: another cluster may be busy or choosing a JobManager.
     *
     * @param rule name of the job's rule
     * @param job id of the job
     */
    public LeftRun.State state(String rule, String job, Look look) {
        try {
            Seen now = look.now();
            boolean ended = ENDED.contains(now.status());
            return new LeftRun.State(
                    rule, now.status(), ended ? ending(job) : now.progress(), !ended, ended);
        } catch (IOException e) {
            boolean unknown = e instanceof RestException answer && answer.notFound() && isLost(job);
            boolean lost = unknown || endedWithProcess(e);
            String why =
                    unknown ? " has no such job" : lost ? ENDED_WITH_PROCESS : " does not answer";
            return new LeftRun.State(
                    rule, lost ? "LOST" : LeftRun.UNKNOWN, record.cluster() + why, false, lost);
        }
    }

    /** True if the cluster has no such job. One that starts lacks only some of its pages. */
    private boolean isLost(String job) {
        try {
            return !rest.knows(job);
        } catch (IOException e) {
            return false;
        }
    }

    private String ending(String job) {
        return ReportedJobEnd.ofPast(rest, job)
                .map(ReportedJobEnd::sentence)
                .orElse("job " + job + " has left no results");
    }

    /**
     * Cancels a job and waits until it has ended.
     *
     * @param rule name of the job's rule
     * @param job id of the job
     * @return false if the job had already ended
     * @throws IllegalStateException if the job may still run; one sentence
     */
    public boolean cancel(String rule, String job) throws IOException {
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
            if (endedWithProcess(e)) {
                return false;
            }
            throw new IllegalStateException(
                    "the cluster at "
                            + record.cluster()
                            + " does not answer, so the job of "
                            + rule
                            + " may still run",
                    e);
        }
        if (!Await.until(PATIENCE, () -> ENDED.contains(flink(job)))) {
            throw new IllegalStateException(
                    "the job of %s has not ended within %d s of being canceled"
                            .formatted(rule, PATIENCE.toSeconds()));
        }
        return true;
    }

    /** The state of a job as Flink names it. */
    String flink(String job) throws IOException {
        return rest.get("/jobs/" + job).path("state").asText();
    }

    /**
     * Prints how many jobs were canceled, and the command that continues the run, if there is one.
     */
    public static void sayCancelled(int jobs, Optional<String> goOn, Terminal terminal) {
        terminal.say(
                jobs == 0
                        ? "Nothing to cancel: the run has no running job."
                        : "Canceled "
                                + (jobs == 1 ? "its job." : jobs + " jobs.")
                                + goOn.map(command -> " Continue with: " + command)
                                        .orElse(" There is no checkpoint to resume from."));
    }
}
