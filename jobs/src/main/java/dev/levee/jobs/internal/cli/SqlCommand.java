package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.jobs.internal.run.follow.ShutdownHook;
import dev.levee.jobs.internal.sql.SqlPlace;
import dev.levee.jobs.internal.sql.SqlSession;
import dev.levee.jobs.internal.sql.SqlShell;

import org.apache.flink.configuration.Configuration;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;

/** Runs SQL in which every aggregation rule is a function. */
@Command(
        name = "sql",
        description =
                "Flink SQL with Levee's functions, its format levee-gradient, and the connectors"
                        + " kafka, filesystem, datagen and print. Statements come from -f, -e,"
                        + " standard input, or a shell.",
        footer = {
            "",
            "Exit status: 0 all statements ran, 1 a statement failed, 2 wrong usage. SET and "
                    + "RESET change Flink options, QUIT ends a shell."
        })
final class SqlCommand extends CliCommand implements Callable<Integer> {
    private static final String STANDARD_INPUT = "standard input";

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "SQL script; - for standard input.")
    private String file;

    @Option(
            names = {"-e", "--execute"},
            paramLabel = "SQL",
            description = "Statements, separated by semicolons; they run before those of -f.")
    private String statements;

    @Option(
            names = "--target",
            paramLabel = "URL",
            description =
                    "Flink cluster on which queries run, such as http://127.0.0.1:8081 "
                            + "(default: this process).")
    private String target;

    @Option(
            names = "-D",
            paramLabel = "KEY=VALUE",
            description =
                    "Any Flink option, such as -D execution.runtime-mode=batch; may be repeated.")
    private Map<String, String> options = Map.of();

    @Override
    public Integer call() throws IOException {
        String script = file == null ? null : script();
        SqlSession session = new SqlSession(configuration(), out());
        // A query whose result is not read any more would hold its slots forever.
        try (ShutdownHook leaving = new ShutdownHook(session::cancel)) {
            return run(session, script);
        } catch (SqlSession.StatementFailedException e) {
            err().println(e.getMessage());
            return 1;
        }
    }

    private int run(SqlSession session, String script) throws IOException {
        boolean more = statements == null || session.run("-e", statements);
        if (more && script != null) {
            session.run(file.equals("-") ? STANDARD_INPUT : file, script);
        } else if (statements == null && script == null) {
            if (System.console() != null) {
                SqlShell.run(session, LeveeHome.find().sqlHistory());
            } else {
                session.run(STANDARD_INPUT, standardInput());
            }
        }
        return 0;
    }

    private Configuration configuration() throws IOException {
        Configuration configuration = checked(() -> SqlPlace.of(target));
        options.forEach(configuration::setString);
        return configuration;
    }

    private String script() throws IOException {
        if (file.equals("-")) {
            return standardInput();
        }
        try {
            return decoded("-f " + file, Files.readAllBytes(Path.of(file)));
        } catch (NoSuchFileException e) {
            throw wrong("-f " + file + " does not exist; it must be an SQL script");
        } catch (IOException e) {
            throw wrong("-f " + file + " cannot be read; it must be an SQL script");
        }
    }

    private String standardInput() throws IOException {
        return decoded(STANDARD_INPUT, System.in.readAllBytes());
    }

    private String decoded(String source, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw wrong(source + " is not UTF-8 text; it must be an SQL script");
        }
    }
}
