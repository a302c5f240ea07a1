package dev.levee.jobs.internal.run.follow;

import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.k8s.flink.rest.Await;
import dev.levee.k8s.flink.rest.FlinkRest;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.JobClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Detects the true end of a job. A cluster that loses its JobManager may report a false end. */
public final class JobEnd {
    private static final Logger LOG = LoggerFactory.getLogger(JobEnd.class);
    private static final Executor LATER = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);

    /** The longest interval between the queries of Flink's client for a result. */
    private static final long FLINKS_PAUSE_MILLIS = 2000;

    private static final long SHORTEST_PAUSE_MILLIS = 20;

    private JobEnd() {}

    /**
     * Returns a job's result or failure. If the cluster reports that the job is still running,
     * waits again.
     */
    public static CompletableFuture<JobExecutionResult> of(FlinkRest rest, JobClient job) {
        return CompletableFuture.runAsync(() -> awaitEarlyEnd(rest, job), JobEnd::onThread)
                .thenCompose(ended -> job.getJobExecutionResult())
                .exceptionallyComposeAsync(
                        failure ->
                                runs(rest, job.getJobID().toHexString())
                                        ? CompletableFuture.supplyAsync(() -> of(rest, job), LATER)
                                                .thenCompose(Function.identity())
                                        : CompletableFuture.failedFuture(reason(failure)));
    }

    /**
     * Queries a job's status, first every 20 ms, then at intervals of a twentieth of the elapsed
     * time. Returns when the job has ended, when the cluster does not answer, or when the interval
     * reaches that of Flink's client.
     */
    private static void awaitEarlyEnd(FlinkRest rest, JobClient job) {
        String path = "/jobs/" + job.getJobID().toHexString() + "/status";
        long start = System.nanoTime();
        try {
            long pause = SHORTEST_PAUSE_MILLIS;
            while (pause < FLINKS_PAUSE_MILLIS) {
                TimeUnit.MILLISECONDS.sleep(pause);
                JobStatus status = status(rest.get(path).path("status").asText());
                if (status == null || status.isGloballyTerminalState()) {
                    return;
                }
                long elapsed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                pause = Math.max(SHORTEST_PAUSE_MILLIS, elapsed / 20);
            }
        } catch (IOException e) {
            LOG.debug("Flink's client waits for a cluster that does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void onThread(Runnable task) {
        Thread thread = new Thread(task, "end of a job");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Waits until a job has ended, and prints its progress in the meantime.
     *
     * @param line gives the line of progress
     * @throws Exception if the job failed
     */
    public static void follow(
            FlinkRest rest, JobClient job, Terminal terminal, Callable<String> line)
            throws Exception {
        CompletableFuture<JobExecutionResult> end = of(rest, job);
        while (true) {
            try {
                end.get(terminal.pauseMillis(), TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                show(terminal, line);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }
    }

    /** Shows a line of progress. If it cannot be read, the next line may show again. */
    static void show(Terminal terminal, Callable<String> line) throws Exception {
        try {
            terminal.progress(line.call());
        } catch (IOException e) {
            LOG.debug("The progress of the job is unknown", e);
        }
    }

    private static Throwable reason(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
    }

    /**
     * Returns true if the cluster reports that the job is not over. Waits for an answer, which may
     * take a leader election or the start of a JobManager. Returns false if no answer comes.
     */
    private static boolean runs(FlinkRest rest, String job) {
        JobStatus[] status = new JobStatus[1];
        Await.until(
                LocalCluster.PATIENCE,
                () -> {
                    rest.find("/jobs/" + job)
                            .ifPresent(each -> status[0] = status(each.path("state").asText()));
                    return true;
                });
        return status[0] != null && !status[0].isGloballyTerminalState();
    }

    /** The status with this name; null if it is unknown. */
    private static JobStatus status(String name) {
        return Arrays.stream(JobStatus.values())
                .filter(each -> each.name().equals(name))
                .findAny()
                .orElse(null);
    }
}
