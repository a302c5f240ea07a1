package dev.levee.jobs.internal.run.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.levee.jobs.internal.run.cluster.SessionClients;
import dev.levee.k8s.flink.rest.FlinkRest;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.JobID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;

/** When a client thinks that a job is over, told by something that answers like a cluster. */
class JobEndTest {
    private static final JobID JOB = new JobID(1, 2);

    /** What a JobManager says of a job while it gives up its lead. */
    private static final String LOST =
            "{\"errors\": [\"Internal server error.\", \"<Exception on server side:\\n"
                    + "org.apache.pekko.pattern.AskTimeoutException: Recipient had already been"
                    + " terminated.\\nEnd of exception on server side>\"]}";

    /** No answer at all. */
    private static final Object[] GONE = {};

    private static final String DONE =
            "{\"status\": {\"id\": \"COMPLETED\"}, \"job-execution-result\": {\"id\": \"%s\","
                    + " \"application-status\": \"SUCCEEDED\", \"accumulator-results\": {},"
                    + " \"net-runtime\": 7}}";

    /** Status and body of the next answers about the end, and about the job, the last for ever. */
    private final Queue<Object[]> ends = new ConcurrentLinkedQueue<>();

    private final Queue<Object[]> states = new ConcurrentLinkedQueue<>();
    private final Queue<Object[]> statuses = new ConcurrentLinkedQueue<>();
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private HttpServer server;
    private URI cluster;

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        cluster = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @AfterEach
    void end() {
        server.stop(0);
    }

    private void answer(HttpExchange request) throws IOException {
        String path = request.getRequestURI().getPath();
        asked.add(path.substring(path.lastIndexOf('/') + 1));
        Queue<Object[]> answers = states;
        if (path.endsWith("/execution-result")) {
            answers = ends;
        } else if (path.endsWith("/status")) {
            answers = statuses;
        }
        Object[] answer = answers.size() > 1 ? answers.remove() : answers.element();
        if (answer == GONE) {
            request.close();
            return;
        }
        byte[] body = answer[1].toString().getBytes(StandardCharsets.UTF_8);
        request.getResponseHeaders().add("Content-Type", "application/json");
        request.sendResponseHeaders((int) answer[0], body.length);
        request.getResponseBody().write(body);
        request.close();
    }

    private CompletableFuture<JobExecutionResult> end(FlinkRest rest) {
        return JobEnd.of(rest, SessionClients.job(cluster, JOB));
    }

    private static Object[] status(String status) {
        return new Object[] {200, "{\"status\": \"" + status + "\"}"};
    }

    private static Object[] state(String state) {
        return new Object[] {200, "{\"state\": \"" + state + "\"}"};
    }

    @Test
    void aJobManagerThatGivesUpItsLeadSaysNothingAboutTheEnd() throws Exception {
        ends.add(new Object[] {500, LOST});
        ends.add(new Object[] {200, DONE.formatted(JOB)});
        states.add(new Object[] {503, "{\"errors\": [\"Service temporarily unavailable\"]}"});
        states.add(new Object[] {500, LOST});
        states.add(state("SUSPENDED"));
        statuses.add(new Object[] {500, LOST});
        assertThat(end(new FlinkRest(cluster)).get().getNetRuntime()).isEqualTo(7);
        assertThat(ends).hasSize(1);
    }

    @Test
    void aClusterThatDoesNotAnswerIsWaitedFor() throws Exception {
        ends.add(new Object[] {500, LOST});
        ends.add(new Object[] {200, DONE.formatted(JOB)});
        states.add(GONE);
        states.add(GONE);
        states.add(state("RUNNING"));
        statuses.add(new Object[] {500, LOST});
        assertThat(end(new FlinkRest(cluster)).get().getNetRuntime()).isEqualTo(7);
        assertThat(states).hasSize(1);
    }

    @Test
    void theResultIsAskedForOnceTheStatusSaysThatTheJobHasEnded() throws Exception {
        ends.add(new Object[] {200, DONE.formatted(JOB)});
        statuses.add(status("RUNNING"));
        statuses.add(status("RESTARTING"));
        statuses.add(status("FINISHED"));
        assertThat(end(new FlinkRest(cluster)).get().getNetRuntime()).isEqualTo(7);
        assertThat(asked).containsExactly("status", "status", "status", "execution-result");
    }

    @Test
    void progressThatCannotBeReadIsLeftOut() throws Exception {
        StringWriter err = new StringWriter();
        Terminal terminal =
                new Terminal(new CommandLine(CommandSpec.create()).setErr(new PrintWriter(err)));
        JobEnd.show(
                terminal,
                () -> {
                    throw new IOException("busy");
                });
        JobEnd.show(terminal, () -> "1 of 2 cells");
        assertThat(err).hasToString("1 of 2 cells" + System.lineSeparator());
    }

    @Test
    void aJobThatHasFailedOrIsForgottenIsOver() {
        ends.add(new Object[] {500, LOST});
        states.add(state("FAILED"));
        statuses.add(status("FAILED"));
        states.add(new Object[] {404, "{\"errors\": [\"Job not found\"]}"});
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> end(new FlinkRest(cluster)).get())
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("already been terminated");
        }
    }
}
