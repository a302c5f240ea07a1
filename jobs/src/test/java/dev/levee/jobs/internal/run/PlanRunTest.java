package dev.levee.jobs.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;

import dev.levee.jobs.internal.tracking.MlflowServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class PlanRunTest {
    @TempDir Path directory;

    @Test
    void trackersHearOfARunThatEndsBeforeItHasAJob() throws Exception {
        HttpServer cluster =
                HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        cluster.createContext(
                "/",
                exchange -> {
                    byte[] body = "{\"slots-total\": 1}".getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        cluster.start();
        Path run = directory.resolve("run");
        Files.createDirectories(run.resolve("summary.json/kept")); // cannot be deleted as a file
        try (MlflowServer server = new MlflowServer()) {
            RunPlan plan =
                    ResumedPipelineTest.plan(
                            "target=http://127.0.0.1:" + cluster.getAddress().getPort(),
                            "mlflow=" + server.address(),
                            "output=" + run);
            PlanRun started = new PlanRun(plan, SubmittedRunTest.silent(), List.of(), true, null);
            assertThatThrownBy(started::run).hasMessageEndingWith("summary.json is not empty");
            assertThat(server.runs().get("run00").status()).isEqualTo("FAILED");
        } finally {
            cluster.stop(0);
        }
    }
}
