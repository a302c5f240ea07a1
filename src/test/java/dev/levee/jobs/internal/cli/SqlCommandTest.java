package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.jobs.internal.sql.SqlPlace;
import dev.levee.jobs.internal.sql.SqlSession;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

/** {@code levee sql}, with Flink in this process. */
@Tag("cluster")
class SqlCommandTest {
    @TempDir Path directory;

    @Test
    void theStatementsInTheDocsRun() throws IOException {
        KeyDirectory keys = new KeyDirectory(directory.resolve("keys"));
        keys.generate(KeyDirectory.name(0));
        List<String> statements = statements();
        assertThat(statements).hasSize(4);
        // No broker is here, so the query on Kafka is planned only; GradientTopicTest runs it.
        Path script =
                Files.writeString(
                        directory.resolve("docs.sql"),
                        String.join(
                                ";\n",
                                statements.get(0),
                                statements.get(1),
                                statements.get(2).replace("'keys'", "'" + keys.path() + "'"),
                                "EXPLAIN " + statements.get(3)));
        Said said = sql("-f", script.toString());
        assertThat(said.run().err()).isEmpty();
        assertThat(said.run().code()).isZero();
        assertThat(said.tables()).contains("[1.0, 1.5]", "MULTI_KRUM(", "gradients");
    }

    private static List<String> statements() throws IOException {
        String page =
                Files.readString(LeveeHome.find().directory().resolve("docs/how-to/flink.md"));
        return Pattern.compile("```sql\\n(.*?)```", Pattern.DOTALL)
                .matcher(page)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    @Test
    void aScriptEndsAtItsFirstErrorWhichNamesItsPlace() throws IOException {
        Path script =
                Files.writeString(
                        directory.resolve("wrong.sql"),
                        "SHOW MODULES;\n\nSELECT\n  absent\nFROM (VALUES (1)) AS t(x);\nSHOW TABLES;");
        Said said = sql("-f", script.toString());
        assertThat(said.tables()).contains("levee").doesNotContain("table name");
        assertThat(said.run().err())
                .isEqualTo(script + ":4:3: Column 'absent' not found in any table\n");
        assertThat(said.run().code()).isOne();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "SELECT 'a | -e:1:8: Encountered \"\\'\"",
                "SHOW TABLES; SET 'execution.runtime-mode'='batch' | -e:1:"
                        + " 'execution.runtime-mode' must be set before any statement other than"
                        + " SET",
            })
    void anErrorIsOneSentence(String statements, String sentence) {
        CommandLineRun run = sql("-e", statements).run();
        assertThat(run.sentence()).isEqualTo(sentence);
        assertThat(run.code()).isOne();
    }

    @Test
    void optionsLastUntilTheyAreReset() {
        CommandLineRun run =
                sql("-e", "SET 'a' = 'it''s'; SET b=1; RESET b; SET; QUIT; nonsense", "-D", "c=d")
                        .run();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("'a' = 'it's'", "'c' = 'd'").doesNotContain("'b'");
        run =
                sql(
                                "-e",
                                "SET 'execution.runtime-mode'='batch'; SET a=1; SET z=1;"
                                        + " SHOW MODULES; RESET; SET")
                        .run();
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("'execution.runtime-mode' = 'batch'")
                .doesNotContain("'a'", "'z'");
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void anInsertFromAnEndlessSourceCanBeCancelled() throws InterruptedException {
        SqlSession session =
                new SqlSession(SqlPlace.of(null), new PrintWriter(Writer.nullWriter()));
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread statements =
                new Thread(
                        () ->
                                session.run(
                                        "-e",
                                        "CREATE TABLE endless (x INT) WITH ('connector' ="
                                                + " 'datagen', 'rows-per-second' = '1');"
                                                + " CREATE TABLE nowhere (x INT) WITH ('connector'"
                                                + " = 'blackhole'); INSERT INTO nowhere SELECT x"
                                                + " FROM endless"));
        statements.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
        statements.start();
        while (statements.isAlive()) {
            session.cancel();
            statements.join(10);
        }
        assertThat(failure.get()).hasMessageContaining("cancel");
    }

    @Test
    void whatIsNoScriptIsRefused() throws IOException {
        assertThat(CommandLineRun.of("sql", "-f", "absent.sql").sentence())
                .isEqualTo("-f absent.sql does not exist; it must be an SQL script");
        Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, 1});
        assertThat(CommandLineRun.of("sql", "-f", binary.toString()).sentence())
                .isEqualTo("-f " + binary + " is not UTF-8 text; it must be an SQL script");
        CommandLineRun run = CommandLineRun.of("sql", "--target", "somewhere", "-e", "SHOW TABLES");
        assertThat(run.sentence())
                .isEqualTo(
                        "--target must be an address such as http://127.0.0.1:8081, got somewhere");
        assertThat(run.code()).isEqualTo(2);
        run = CommandLineRun.of("sql", "--target", "http://127.0.0.1:1", "-e", "SHOW TABLES");
        assertThat(run.sentence())
                .isEqualTo("--target http://127.0.0.1:1 does not answer like a Flink cluster");
        assertThat(run.code()).isOne();
    }

    /**
     * @param tables what Flink printed, which goes to the process's own standard output
     */
    private record Said(CommandLineRun run, String tables) {}

    private static Said sql(String... options) {
        PrintStream before = System.out;
        ByteArrayOutputStream tables = new ByteArrayOutputStream();
        System.setOut(new PrintStream(tables, true, StandardCharsets.UTF_8));
        try {
            String[] arguments = new String[options.length + 1];
            arguments[0] = "sql";
            System.arraycopy(options, 0, arguments, 1, options.length);
            return new Said(CommandLineRun.of(arguments), tables.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(before);
        }
    }
}
