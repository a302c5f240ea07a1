package dev.levee.jobs.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.client.DuplicateJobSubmissionException;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A cluster that refuses jobs as Flink does. */
class QueueLauncherTest {
    private static final JobID ID = new JobID();

    @TempDir Path directory;
    private HttpServer cluster;
    private volatile Exception refusal;
    private volatile boolean known;

    @BeforeEach
    void start() throws IOException {
        Files.createDirectory(directory.resolve("jars"));
        try (ObjectOutputStream out =
                new ObjectOutputStream(Files.newOutputStream(directory.resolve("job.graph")))) {
            out.writeObject(new JobGraph(ID, "queued"));
        }
        cluster = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        cluster.createContext("/", this::answer);
        cluster.start();
    }

    @AfterEach
    void stop() {
        cluster.stop(0);
    }

    private void answer(HttpExchange request) throws IOException {
        request.getRequestBody().readAllBytes();
        int status = 200;
        String body = "[]";
        if (request.getRequestMethod().equals("POST")) {
            status = 500;
            body =
                    "{\"errors\": [\"Internal server error.\", \"<Exception on server side:\\n%s\"]}"
                            .formatted(
                                    ExceptionUtils.stringifyException(refusal)
                                            .replace("\n", "\\n")
                                            .replace("\t", "\\t"));
        } else if (request.getRequestURI().getPath().endsWith("/jobs/" + ID)) {
            status = known ? 200 : 404;
            body = known ? "{}" : "{\"errors\": [\"Job %s not found\"]}".formatted(ID);
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        request.sendResponseHeaders(status, bytes.length);
        request.getResponseBody().write(bytes);
        request.close();
    }

    private boolean submit() throws IOException {
        InetSocketAddress address = cluster.getAddress();
        URI rest = URI.create("http://%s:%d".formatted("127.0.0.1", address.getPort()));
        return new QueueLauncher(rest).start(directory, ID.toHexString(), null, 1, 2);
    }

    @Test
    void aJobThatHasEndedAndWasForgottenIsNotSubmittedAgain() throws IOException {
        refusal = DuplicateJobSubmissionException.ofGloballyTerminated(ID);
        assertThat(submit()).isFalse();
        known = true;
        assertThat(submit()).isTrue();
    }

    /** A cluster that has a new leader may not have recovered the job yet. */
    @Test
    void aJobThatMayStillRunIsNotReplaced() throws IOException {
        refusal = DuplicateJobSubmissionException.of(ID);
        known = true;
        assertThat(submit()).isTrue();
        known = false;
        assertThatThrownBy(this::submit)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("could not be submitted: ");
    }
}
