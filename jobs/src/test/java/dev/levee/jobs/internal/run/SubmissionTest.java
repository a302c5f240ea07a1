package dev.levee.jobs.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.RunRecord;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarOutputStream;

/** {@code levee train} as a process, and what answers like a cluster that takes its time. */
@Tag("long")
class SubmissionTest {
    private static final int PATIENCE = 5;

    /** As Flink puts it. */
    private static final String FAILURE =
            "{\"errors\": [\"Internal server error.\", \"<Exception on server side:\\nFailed to"
                    + " submit job.\\n\\tat a.B.c(B.java:1)\\nCaused by: a.Failure: %s\\n\\tat"
                    + " a.B.d(B.java:2)\\n\\t... 29 more\\n\\nEnd of exception on server side>\"]}";

    @TempDir Path directory;
    private final CountDownLatch sent = new CountDownLatch(1);
    private final CountDownLatch taken = new CountDownLatch(1);
    private final BlockingQueue<String> cancelled = new LinkedBlockingQueue<>();
    private final AtomicInteger posts = new AtomicInteger();
    private volatile int failures;
    private volatile boolean known;
    private ExecutorService threads;
    private HttpServer cluster;
    private Process train;

    @BeforeEach
    void startCluster() throws IOException {
        cluster = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        threads = Executors.newCachedThreadPool();
        cluster.setExecutor(threads);
        cluster.createContext("/", this::answer);
        cluster.start();
    }

    private void answer(HttpExchange request) throws IOException {
        request.getRequestBody().readAllBytes();
        String path = request.getRequestURI().getPath();
        int status = 200;
        String body = "{}";
        if (path.endsWith("/overview")) {
            body = "{\"slots-total\": 1, \"slots-available\": 1}";
        } else if (request.getRequestMethod().equals("POST")) {
            sent.countDown();
            awaitTaken();
            int post = posts.incrementAndGet();
            boolean fails = post <= failures;
            status = fails ? 500 : 202;
            String reason = post == 1 ? "no lead" : "jars are there already";
            body = fails ? FAILURE.formatted(reason) : "{\"jobUrl\": \"/jobs/any\"}";
        } else if (request.getRequestMethod().equals("PATCH")) {
            cancelled.add(path);
            status = 202;
        } else if (path.endsWith("/status")) {
            body = "{\"status\": \"RUNNING\"}";
        } else if (path.matches("/jobs/[0-9a-f]{32}") && !known) {
            status = 404;
            body = "{\"errors\": [\"Job not found\"]}";
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        request.getResponseHeaders().add("Content-Type", "application/json");
        request.sendResponseHeaders(status, bytes.length);
        request.getResponseBody().write(bytes);
        request.close();
    }

    private void awaitTaken() {
        try {
            taken.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void stop() {
        cluster.stop(0);
        threads.shutdownNow();
        train.destroyForcibly();
    }

    private void startTraining(String... options) throws IOException {
        Path jar = directory.resolve("home/jobs/target/levee-jobs.jar");
        Files.createDirectories(jar.getParent());
        new JarOutputStream(Files.newOutputStream(jar)).close();
        String classes = System.getProperty("levee.home") + "/jobs/target/classes/";
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "@" + classes + "levee-jvm.flags",
                                "-XX:TieredStopAtLevel=1",
                                "-Dlevee.home=" + directory.resolve("home"),
                                "-Dlog4j2.configurationFile=levee-log4j2.xml",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "dev.levee.jobs.Levee",
                                "train",
                                "--target=http://127.0.0.1:" + cluster.getAddress().getPort(),
                                "--dataset=strokes:?train=200&test=50",
                                "--model=logistic",
                                "--workers=3",
                                "--byzantine=0",
                                "--aggregator=average",
                                "--rounds=5",
                                "--output=" + directory.resolve("my run")));
        command.addAll(List.of(options));
        train =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("said").toFile())
                        .start();
    }

    private List<String> said() throws IOException {
        return Files.readAllLines(directory.resolve("said"));
    }

    private void awaitThatItStops() throws Exception {
        while (train.isAlive()
                && said().stream().noneMatch(line -> line.startsWith("Interrupted"))) {
            train.waitFor(20, TimeUnit.MILLISECONDS);
        }
    }

    private int detached() throws Exception {
        taken.countDown();
        startTraining("--detach");
        assertThat(train.waitFor(PATIENCE, TimeUnit.MINUTES)).as("said: %s", said()).isTrue();
        return train.exitValue();
    }

    @Test
    void aJobThatTheClusterForgotIsSentAgain() throws Exception {
        failures = 2;
        assertThat(detached()).as("said: %s", said()).isZero();
        assertThat(posts).hasValue(3);
    }

    @Test
    void aJobThatTheNextLeaderFoundIsNotSentAgain() throws Exception {
        failures = 1;
        known = true;
        assertThat(detached()).as("said: %s", said()).isZero();
        assertThat(posts).hasValue(1);
    }

    @Test
    void aJobThatTheClusterNeverTakesIsOneSentenceOfWhyItFirstDidNot() throws Exception {
        failures = Integer.MAX_VALUE;
        assertThat(detached()).isEqualTo(1);
        assertThat(said())
                .contains(
                        "the cluster at http://127.0.0.1:%d does not accept the job: a.Failure: no lead"
                                .formatted(cluster.getAddress().getPort()));
        assertThat(posts).hasValue(3);
    }

    @Test
    void theJobThatIsBeingSubmittedGoesOnAndCanBeFound() throws Exception {
        startTraining();
        assertThat(sent.await(PATIENCE, TimeUnit.MINUTES)).as("submits").isTrue();
        train.destroy();
        awaitThatItStops();
        taken.countDown();

        assertThat(train.waitFor(PATIENCE, TimeUnit.MINUTES)).isTrue();
        assertThat(cancelled).as("said: %s", said()).isEmpty();
        Path run = directory.resolve("my run");
        assertThat(said())
                .containsSubsequence(
                        "Interrupted. Waiting for the cluster's answer to a job's submission.",
                        "Interrupted; the job continues at http://127.0.0.1:"
                                + cluster.getAddress().getPort()
                                + ".",
                        "Reattach with:       levee attach '" + run + "'")
                .noneMatch(line -> line.startsWith("levee:"));
        RunRecord record =
                new RunFiles(OutputLayout.absolute(run.toString())).record().orElseThrow();
        assertThat(record.submitted()).containsExactly(0);
    }
}
