package dev.levee.k8s.manifests;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The Flink Kubernetes Operator as a process. */
final class Operator {
    private Operator() {}

    /**
     * Starts it.
     *
     * @param directory receives its configuration, its files and what it says
     * @param hosts lines as of a hosts file, for services that a cluster's DNS would know
     */
    static TestProcess start(URI apiServer, String namespace, Path directory, String hosts)
            throws IOException {
        Path configuration = Files.createDirectories(directory.resolve("conf"));
        // Hourly and minutely habits, made fit for a test of seconds. By default, a resource is
        // looked at five times in 15 seconds. On a busy machine, uploading the jar takes more than
        // the ten seconds of the default.
        Files.writeString(
                configuration.resolve("flink-conf.yaml"),
                """
                kubernetes.operator.watched.namespaces: %s
                kubernetes.operator.reconcile.interval: 1 s
                kubernetes.operator.rate-limiter.limit: 0
                kubernetes.operator.observer.progress-check.interval: 1 s
                kubernetes.operator.observer.rest-ready.delay: 1 s
                kubernetes.operator.observer.savepoint.trigger.grace-period: 1 s
                kubernetes.operator.flink.client.timeout: 60 s
                kubernetes.operator.user.artifacts.base.dir: %s
                kubernetes.operator.health.probe.enabled: false
                """
                        .formatted(namespace, directory.resolve("artifacts")));
        Path names = Files.writeString(directory.resolve("hosts"), hosts);
        return TestProcess.java(
                directory.resolve("operator.log"),
                Map.of(
                        "KUBERNETES_MASTER",
                        apiServer.toString(),
                        "KUBERNETES_AUTH_TRYKUBECONFIG",
                        "false",
                        "OPERATOR_NAMESPACE",
                        namespace,
                        "FLINK_CONF_DIR",
                        configuration.toString()),
                List.of(
                        "-Xmx400m",
                        "-XX:+UseSerialGC",
                        "-Djdk.net.hosts.file=" + names,
                        "-cp",
                        System.getProperty(
                                "surefire.test.class.path", System.getProperty("java.class.path")),
                        "org.apache.flink.kubernetes.operator.FlinkOperator"));
    }
}
