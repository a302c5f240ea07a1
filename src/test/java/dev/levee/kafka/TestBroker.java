package dev.levee.kafka;

import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.jobs.internal.cluster.FileTree;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The broker of all test classes of a JVM that need nothing of its own, which would take seconds of
 * processor time to start. Each of their runs has another name, and so other topics.
 */
public final class TestBroker {
    private static LocalKafka broker;

    private TestBroker() {}

    /** The broker; the first call starts it, and it ends with the JVM. */
    public static synchronized LocalKafka get() throws IOException {
        if (broker == null) {
            Path directory = Files.createTempDirectory("levee-kafka");
            broker = LocalKafka.start(new LocalKafka.Options(directory, 0, Map.of()));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(broker, directory)));
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
