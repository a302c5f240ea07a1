package dev.levee;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.jobs.internal.cli.LeveeCommand;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A {@code levee} command running beside the test. */
final class CommandRun {
    private final CompletableFuture<Integer> exit;

    private CommandRun(CompletableFuture<Integer> exit) {
        this.exit = exit;
    }

    /** Starts a command. */
    static CommandRun start(String... arguments) {
        return new CommandRun(
                CompletableFuture.supplyAsync(() -> LeveeCommand.commandLine().execute(arguments)));
    }

    /** Starts {@code levee train} with common arguments and some of its own. */
    static CommandRun train(List<String> common, String... own) {
        List<String> arguments = new ArrayList<>(List.of("train"));
        arguments.addAll(common);
        arguments.addAll(List.of(own));
        return start(arguments.toArray(String[]::new));
    }

    /** Waits for the end; its exit code. */
    int exitCode() throws Exception {
        return exit.get();
    }

    boolean ended() {
        return exit.isDone();
    }

    /** The summary that a run left in a directory. */
    static JsonNode summary(Path output) throws IOException {
        return new ObjectMapper().readTree(output.resolve("summary.json").toFile());
    }
}
