package dev.levee;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.cluster.FileTree;

import org.apache.flink.api.common.JobStatus;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestWatcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Gives a test the cluster that all classes nested in one share, with two TaskManagers again. A
 * cluster of its own costs a class a dozen seconds of processor time. Files of the cluster, such as
 * logs, stay if a test has failed.
 */
public final class SharedCluster implements ParameterResolver, TestWatcher {
    private static final ExtensionContext.Namespace STORE =
            ExtensionContext.Namespace.create(SharedCluster.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == LocalCluster.class;
    }

    @Override
    public LocalCluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
        try {
            return store(context)
                    .getOrComputeIfAbsent(Started.class, key -> Started.now(), Started.class)
                    .whole();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        Started started = store(context).get(Started.class, Started.class);
        if (started != null) {
            started.failed.set(true);
            started.tidy(cause);
        }
    }

    private static ExtensionContext.Store store(ExtensionContext context) {
        return context.getRoot().getStore(STORE);
    }

    private record Started(LocalCluster cluster, Path directory, AtomicBoolean failed)
            implements AutoCloseable {
        static Started now() {
            try {
                Path directory = Files.createTempDirectory("levee-cluster");
                return new Started(
                        TestCluster.start(
                                directory,
                                Map.of(
                                        "jobmanager.adaptive-scheduler.executing.resource-stabilization-timeout",
                                        "0s",
                                        "metrics.fetcher.update-interval",
                                        "500")),
                        directory,
                        new AtomicBoolean());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Cancels what a failed test has left, which would keep the slots of the next one. */
        void tidy(Throwable cause) {
            try {
                for (JsonNode job : cluster.rest().get("/jobs/overview").path("jobs")) {
                    if (!JobStatus.valueOf(job.path("state").asText()).isGloballyTerminalState()) {
                        cluster.rest().patch("/jobs/" + job.path("jid").asText());
                    }
                }
            } catch (IOException e) {
                cause.addSuppressed(e);
            }
        }

        LocalCluster whole() throws IOException {
            for (int alive = TestCluster.taskManagers(cluster).size(); alive < 2; alive++) {
                cluster.addTaskManager();
            }
            cluster.awaitTaskManagers(2);
            return cluster;
        }

        @Override
        public void close() throws IOException {
            cluster.close();
            if (!failed.get()) {
                FileTree.delete(directory);
            }
        }
    }
}
