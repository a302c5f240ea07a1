package dev.levee.kafka;

import dev.levee.RunningJob;
import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.KafkaAdmin;
import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.jobs.internal.cluster.FileTree;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;

/**
 * The broker of all test classes of a JVM that need nothing of its own, which would take seconds of
 * processor time to start. A class gets it without the topics of the class before.
 */
public final class TestBroker {
    private static Path directory;
    private static LocalKafka broker;

    private TestBroker() {}

    /** The broker, without topics; the first call starts it, and it ends with the JVM. */
    public static synchronized LocalKafka emptied() throws Exception {
        if (broker == null) {
            directory = Files.createTempDirectory("levee-kafka");
            broker = LocalKafka.start(new LocalKafka.Options(directory, 0, Map.of()));
            Runtime.getRuntime().addShutdownHook(new Thread(TestBroker::end));
        } else if (LocalKafka.find(directory).isEmpty()) {
            // A test that killed it has failed.
            broker.restart();
        }
        try (Admin admin = broker.admin()) {
            RunningJob.until("no topic is left", () -> deleteTopics(admin).isEmpty());
        }
        return broker;
    }

    /** Makes topics as the program does: whoever produces next loses nothing. */
    public static void create(LocalKafka broker, NewTopic... topics) {
        KafkaAddress address = new KafkaAddress(broker.bootstrapServers(), Map.of());
        try (KafkaAdmin admin = KafkaAdmin.connect(address)) {
            admin.create(List.of(topics));
        }
    }

    /** Deletes the topics, and returns those that there were. */
    private static Set<String> deleteTopics(Admin admin) throws IOException {
        try {
            Set<String> topics =
                    admin.listTopics().names().toCompletionStage().toCompletableFuture().join();
            admin.deleteTopics(topics).all().toCompletionStage().toCompletableFuture().join();
            return topics;
        } catch (CompletionException e) {
            // A busy broker may carry out a request whose answer was no longer awaited.
            throw new IOException(e);
        }
    }

    private static void end() {
        try {
            broker.kill();
            FileTree.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
