package dev.levee.jobs.internal.sql;

import dev.levee.operators.flink.table.LeveeModule;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.ResultKind;
import org.apache.flink.table.api.TableConfig;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.config.TableConfigOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Executes statements that share tables, functions and options. Levee's module is loaded, and
 * results go to standard output. This class handles {@code SET} and {@code RESET}; Flink handles
 * all other statements.
 */
public final class SqlSession {
    private static final Logger LOG = LoggerFactory.getLogger(SqlSession.class);

    // Possessive quantifiers, because others use the stack for each character of a text.
    private static final Pattern SET =
            Pattern.compile(
                    "(?is)SET(?:\\s+(?:'((?:[^']|'')++)'|([\\w.-]+))\\s*=\\s*(?:'((?:[^']|'')*+)'|(\\S+)))?");
    private static final Pattern RESET =
            Pattern.compile("(?is)RESET(?:\\s+(?:'((?:[^']|'')++)'|([\\w.-]+)))?");
    private static final String MODE = ExecutionOptions.RUNTIME_MODE.key();

    /** Statements that return no rows to show. */
    private static final Pattern CHANGE =
            Pattern.compile(
                    "(?is)(INSERT|UPDATE|DELETE|CREATE|EXECUTE\\s+(STATEMENT|PLAN|INSERT))\\b.*");

    private static final Pattern QUERY =
            Pattern.compile(
                    "(?is)(\\(|(SELECT|WITH|VALUES|TABLE|SHOW|DESC|DESCRIBE|EXPLAIN)\\b).*");

    /** Scripts for other clients load the module; here it is already loaded. */
    private static final Pattern LOAD = Pattern.compile("(?i)LOAD\\s+MODULE\\s+levee");

    private static final Pattern QUIT = Pattern.compile("(?i)QUIT|EXIT");

    private static final long PATIENCE_SECONDS = 5;

    private final Configuration given;
    private final PrintWriter out;
    private final Map<String, String> set = new TreeMap<>();
    private final AtomicReference<JobClient> running = new AtomicReference<>();
    private TableEnvironment tables;
    private boolean executed;

    /**
     * Creates a session without tables.
     *
     * @param given options of Flink, which {@code RESET} restores
     * @param out receives all output except tables
     */
    public SqlSession(Configuration given, PrintWriter out) {
        this.given = new Configuration(given);
        this.out = out;
    }

    /** Signals that a statement failed; the message is a complete sentence. */
    public static final class StatementFailedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StatementFailedException(String sentence, Throwable cause) {
            super(sentence, cause);
        }
    }

    /**
     * Runs a script until its end, {@code QUIT}, or its first error.
     *
     * @param source name of the script in error messages
     * @return false if the script ends the session
     * @throws StatementFailedException at the first statement that fails
     */
    public boolean run(String source, String script) {
        return SqlScript.of(script).all().stream().allMatch(each -> run(source, each));
    }

    /**
     * Runs a script whose last statement is a query. Other queries are skipped, because nobody
     * would see their rows.
     *
     * @param source name of the script in error messages
     * @return the rows of the last query
     * @throws StatementFailedException at the first statement that fails, or if the last statement
     *     is no query
     */
    public TableResult query(String source, String script) {
        List<SqlScript.Statement> all = SqlScript.of(script).all();
        if (all.isEmpty()) {
            throw new IllegalArgumentException(source + " has no statement");
        }
        SqlScript.Statement last = all.get(all.size() - 1);
        all.subList(0, all.size() - 1).stream()
                .filter(each -> !QUERY.matcher(each.text().strip()).matches())
                .forEach(each -> run(source, each));
        executed = true;
        try {
            return tables().sqlQuery(last.inPlace()).execute();
        } catch (Exception e) {
            throw new StatementFailedException(SqlFailure.sentence(source, last, e), e);
        }
    }

    /**
     * Runs one statement and waits for its end.
     *
     * @return false if the statement ends the session
     * @throws StatementFailedException if the statement fails
     */
    boolean run(String source, SqlScript.Statement statement) {
        try {
            return run(statement);
        } catch (Exception e) {
            throw new StatementFailedException(SqlFailure.sentence(source, statement, e), e);
        }
    }

    private boolean run(SqlScript.Statement statement) throws Exception {
        String text = statement.text().strip();
        Matcher set = SET.matcher(text);
        Matcher reset = RESET.matcher(text);
        if (ends(statement)) {
            return false;
        } else if (set.matches()) {
            String key = either(set, 1);
            if (key == null) {
                list();
            } else {
                set(key, either(set, 3));
            }
        } else if (reset.matches()) {
            String key = either(reset, 1);
            if (key == null) {
                resetAll();
            } else {
                reset(key);
            }
        } else if (!LOAD.matcher(text).matches()) {
            execute(statement);
        }
        return true;
    }

    /** True if a statement ends the session. */
    static boolean ends(SqlScript.Statement statement) {
        return QUIT.matcher(statement.text().strip()).matches();
    }

    private void execute(SqlScript.Statement statement) throws Exception {
        executed = true;
        TableConfig options = tables().getConfig();
        boolean waits = options.get(TableConfigOptions.TABLE_DML_SYNC);
        TableResult result;
        options.set(TableConfigOptions.TABLE_DML_SYNC, false); // returns a job to cancel
        try {
            result = tables().executeSql(statement.inPlace());
        } finally {
            options.set(TableConfigOptions.TABLE_DML_SYNC, waits);
        }
        result.getJobClient().ifPresent(running::set);
        try {
            if (waits && running.get() != null && !QUERY.matcher(statement.text()).matches()) {
                result.await();
            }
            if (result.getResultKind() == ResultKind.SUCCESS_WITH_CONTENT
                    && !CHANGE.matcher(statement.text()).matches()) {
                out.flush();
                result.print();
            }
        } finally {
            running.set(null);
        }
    }

    /** Cancels the running job, if there is one, which also ends its statement. */
    public void cancel() {
        JobClient job = running.get();
        if (job != null) {
            // Waits for the cluster, because the process may end right after this. A job that has
            // just ended cannot be cancelled.
            CompletableFuture.completedFuture(job)
                    .thenCompose(JobClient::cancel)
                    .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .exceptionally(
                            failure -> {
                                LOG.debug("the job was not canceled", failure);
                                return null;
                            })
                    .join();
        }
    }

    /** Completions at a position in a statement. */
    @SuppressWarnings("deprecation") // has no replacement
    String[] hints(String statement, int position) {
        return tables().getCompletionHints(statement, position);
    }

    /** Created when needed, because it fixes the execution mode. */
    private TableEnvironment tables() {
        if (tables == null) {
            Configuration configuration = new Configuration(given);
            String mode = set.get(MODE);
            if (mode != null) {
                configuration.setString(MODE, mode);
            }
            tables =
                    TableEnvironment.create(
                            EnvironmentSettings.newInstance()
                                    .withConfiguration(configuration)
                                    .build());
            set.forEach(tables.getConfig()::set);
            tables.loadModule("levee", new LeveeModule());
        }
        return tables;
    }

    private void list() {
        Map<String, String> all = new TreeMap<>(given.toMap());
        all.putAll(set);
        all.forEach((key, value) -> out.println("'" + key + "' = '" + value + "'"));
        out.flush();
    }

    private void set(String key, String value) {
        changeMode(key);
        set.put(key, value);
        if (tables != null) {
            tables.getConfig().set(key, value);
        }
    }

    private void reset(String key) {
        changeMode(key);
        set.remove(key);
        if (tables != null) {
            tables.getConfig().getConfiguration().removeKey(key);
        }
    }

    /** Resets all options but the execution mode, which the first statement fixes. */
    private void resetAll() {
        List.copyOf(set.keySet()).stream()
                .filter(key -> !executed || !key.equals(MODE))
                .forEach(this::reset);
    }

    private void changeMode(String key) {
        if (!key.equals(MODE)) {
            return;
        }
        if (executed) {
            throw new IllegalArgumentException(
                    "'" + MODE + "' must be set before any statement other than SET");
        }
        tables = null; // it may have been created for completions, with the other mode
    }

    private static String either(Matcher found, int group) {
        String quoted = found.group(group);
        return quoted == null ? found.group(group + 1) : quoted.replace("''", "'");
    }
}
