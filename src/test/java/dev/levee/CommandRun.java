package dev.levee;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.jobs.internal.cli.LeveeCommand;

import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A {@code levee} command running beside the test. */
public final class CommandRun {
    private final CompletableFuture<Integer> exit;
    private final StringWriter said;

    private CommandRun(CompletableFuture<Integer> exit, StringWriter said) {
        this.exit = exit;
        this.said = said;
    }

    /** Starts a command. */
    public static CommandRun start(String... arguments) {
        StringWriter said = new StringWriter();
        CommandLine command = LeveeCommand.commandLine(arguments);
        command.setErr(new PrintWriter(said, true));
        return new CommandRun(
                CompletableFuture.supplyAsync(
                        () -> command.execute(arguments), CommandRun::inThreadOfItsOwn),
                said);
    }

    /** Commands wait for each other, and the common pool may have fewer threads than they are. */
    private static void inThreadOfItsOwn(Runnable command) {
        Thread thread = new Thread(command, "command");
        thread.setDaemon(true);
        thread.start();
    }

    /** Starts {@code levee train} with common arguments and some of its own. */
    static CommandRun train(List<String> common, String... own) {
        List<String> arguments = new ArrayList<>(List.of("train"));
        arguments.addAll(common);
        arguments.addAll(List.of(own));
        return start(arguments.toArray(String[]::new));
    }

    /** Waits for the end; its exit code. */
    public int exitCode() throws Exception {
        return exit.get();
    }

    public boolean ended() {
        return exit.isDone();
    }

    /** What it has said to its user so far. */
    public String said() {
        return said.toString();
    }

    /** The summary that a run left in a directory. */
    public static JsonNode summary(Path output) throws IOException {
        return new ObjectMapper().readTree(output.resolve("summary.json").toFile());
    }
}
