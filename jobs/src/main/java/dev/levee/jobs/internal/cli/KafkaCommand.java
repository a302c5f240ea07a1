package dev.levee.jobs.internal.cli;

import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.jobs.internal.cli.view.Columns;
import dev.levee.jobs.internal.cli.view.TopicSizes;
import dev.levee.jobs.internal.cluster.LeveeHome;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Starts, stops and shows the local Kafka broker. */
@Command(
        name = "kafka",
        description = "Manage a Kafka broker on this machine, for development and tests.",
        synopsisSubcommandLabel = "start|status|stop")
final class KafkaCommand extends CommandGroup {
    private static final String NONE = "No broker is running.";

    @Command(
            name = "start",
            description = "Start the broker with its existing data and wait until it is ready.",
            sortOptions = false,
            mixinStandardHelpOptions = true)
    int start(
            @Option(
                            names = "--port",
                            paramLabel = "PORT",
                            defaultValue = "9092",
                            description =
                                    "Port for clients; 0 for any free port (default: "
                                            + "${DEFAULT-VALUE}).")
                    int port,
            @Option(
                            names = "-D",
                            paramLabel = "KEY=VALUE",
                            description = "Any broker option; may be repeated.")
                    Map<String, String> configuration)
            throws IOException {
        range("--port", port, 0, 65535);
        LocalKafka.Options options =
                checked(
                        () ->
                                new LocalKafka.Options(
                                        directory(),
                                        port,
                                        configuration == null ? Map.of() : configuration));
        out().println("Starting a Kafka broker …");
        @SuppressWarnings("resource") // outlives this command
        LocalKafka broker = LocalKafka.start(options);
        describe(broker);
        return 0;
    }

    @Command(
            name = "status",
            description = "Show whether the broker is running, and its topics.",
            footer = {"", "Exit status: 0 it is running, 1 it is not, 2 wrong usage."},
            mixinStandardHelpOptions = true)
    int status() throws IOException {
        Optional<LocalKafka> broker = LocalKafka.find(directory());
        if (broker.isEmpty()) {
            out().println(NONE);
        } else {
            List<TopicSizes> topics = TopicSizes.of(broker.get());
            describe(broker.get());
            printTopics(topics);
        }
        return broker.isPresent() ? 0 : 1;
    }

    @Command(
            name = "stop",
            description = "Stop the broker; its data are kept.",
            mixinStandardHelpOptions = true)
    int stop(@Option(names = "--delete", description = "Also delete its data.") boolean delete)
            throws IOException {
        Optional<LocalKafka> broker = LocalKafka.find(directory());
        if (broker.isPresent()) {
            broker.get().close();
        }
        out().println(broker.isPresent() ? "The broker has ended." : NONE);
        if (delete) {
            LocalKafka.deleteData(directory());
            out().println("Its data are deleted.");
        }
        return 0;
    }

    private void describe(LocalKafka broker) {
        out().println("The broker runs at " + broker.bootstrapServers());
        out().println("Data are in " + broker.data());
        out().println("Logs are in " + broker.logs());
    }

    private void printTopics(List<TopicSizes> topics) {
        if (topics.isEmpty()) {
            out().println("It has no topics.");
            return;
        }
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("topic", "partitions", "end offsets", "bytes"));
        for (TopicSizes topic : topics) {
            lines.add(
                    List.of(
                            topic.name(),
                            String.valueOf(topic.partitions()),
                            String.valueOf(topic.endOffsets()),
                            String.valueOf(topic.bytes())));
        }
        out().println();
        Columns.print(out(), lines);
    }

    private static Path directory() {
        return LeveeHome.find().kafkaDirectory();
    }
}
