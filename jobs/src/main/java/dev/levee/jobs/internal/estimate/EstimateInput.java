package dev.levee.jobs.internal.estimate;

import dev.levee.connectors.data.DatasetUri;
import dev.levee.estimation.EffectData;
import dev.levee.estimation.flink.EffectColumns;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.sql.QueryRows;
import dev.levee.jobs.internal.sql.SqlPlace;
import dev.levee.jobs.internal.sql.SqlSession;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The table of an estimate: a file that TaskManagers read themselves, or the rows of a query, which
 * are written to the output folder so that TaskManagers can read them.
 *
 * @param columns the columns of the file or query
 * @param data the contents of these columns
 * @param rows the rows of the query as comma-separated values; null for a file
 */
record EstimateInput(EffectColumns columns, EffectData data, String rows) {
    /** The name of the file that {@link #write} writes. */
    static final String FILE = "data.csv";

    private static final String SQL = "sql:";

    /**
     * Reads the table.
     *
     * @param target the cluster that runs a query; null for this process
     * @throws IllegalArgumentException if the table cannot be read; one sentence
     */
    static EstimateInput read(EffectColumns columns, String target) throws IOException {
        if (!columns.data().startsWith(SQL)) {
            EffectColumns anywhere = columns.with(absolute(columns.data()));
            return new EstimateInput(anywhere, anywhere.read(), null);
        }
        String rows = rows(DatasetUri.parse(columns.data()), target);
        Path file = Files.createTempFile("levee-rows-", ".csv");
        try {
            Files.writeString(file, rows);
            return new EstimateInput(
                    columns, columns.with("csv:" + file + "?header=yes").read(), rows);
        } finally {
            Files.delete(file);
        }
    }

    /** Makes a local path absolute, so that it means the same in any process. */
    private static String absolute(String data) {
        DatasetUri uri = DatasetUri.parse(data);
        if (uri.path().isEmpty() || uri.path().matches("[a-zA-Z][a-zA-Z0-9+.-]+:.*")) {
            return data;
        }
        String path = Path.of(uri.path()).toAbsolutePath().normalize().toString();
        return uri.format()
                + ":"
                + path
                + data.substring(uri.format().length() + 1 + uri.path().length());
    }

    private static String rows(DatasetUri uri, String target) throws IOException {
        uri.check("table");
        String source = uri.path();
        String script = script(source);
        if (uri.has("table")) {
            script += "\n;\nSELECT * FROM " + uri.options().get("table");
        }
        Configuration configuration = SqlPlace.of(target);
        configuration.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
        SqlSession session = new SqlSession(configuration, new PrintWriter(Writer.nullWriter()));
        try {
            return QueryRows.csv(session.query(source, script));
        } catch (SqlSession.StatementFailedException e) {
            throw new IllegalArgumentException("--data " + e.getMessage(), e);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("--data " + uri.text() + ": the query failed", e);
        }
    }

    private static String script(String file) {
        try {
            return Files.readString(Path.of(file), StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(
                    "--data sql:%s does not exist; it must be a script of SQL".formatted(file), e);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "--data sql:%s cannot be read; it must be a script of SQL".formatted(file), e);
        }
    }

    /** Returns this input with its rows in a folder, which {@link #write} fills. */
    EstimateInput in(String directory) {
        return rows == null
                ? this
                : new EstimateInput(
                        columns.with("csv:" + directory + "/" + FILE + "?header=yes"), data, rows);
    }

    /** Writes the rows of a query to the folder; does nothing for a file. */
    void write(String directory) throws IOException {
        if (rows != null) {
            new RunFiles(directory).writeText(FILE, rows);
        }
    }
}
