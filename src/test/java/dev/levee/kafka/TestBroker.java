package dev.levee.kafka;

import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.jobs.internal.cluster.FileTree;

import org.apache.kafka.clients.admin.Admin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/**
 * The broker of all test classes of a JVM that need nothing of its own, which would take seconds of
 * processor time to start. A class gets it without the topics of the class before.
 */
public final class TestBroker {
    private static LocalKafka broker;

    private TestBroker() {}

    /** The broker, without topics; the first call starts it, and it ends with the JVM. */
    public static synchronized LocalKafka emptied()
            throws IOException, InterruptedException, ExecutionException {
        if (broker == null) {
            Path directory = Files.createTempDirectory("levee-kafka");
            broker = LocalKafka.start(new LocalKafka.Options(directory, 0, Map.of()));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(broker, directory)));
        }
        try (Admin admin = broker.admin()) {
            Set<String> topics = admin.listTopics().names().get();
            admin.deleteTopics(topics).all().get();
            while (!admin.listTopics().names().get().isEmpty()) {
                Thread.sleep(10);
            }
        }
        return broker;
    }

    private static void end(LocalKafka broker, Path directory) {
        try {
            broker.close();
            FileTree.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
