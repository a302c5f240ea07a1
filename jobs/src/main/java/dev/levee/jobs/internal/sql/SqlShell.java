package dev.levee.jobs.internal.sql;

import org.jline.reader.Candidate;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Reads statements from a terminal, with history and completion, and executes them one by one. */
public final class SqlShell {
    private static final String PROMPT = "levee sql> ";

    private SqlShell() {}

    /**
     * Executes the typed statements until {@code QUIT} or the end of input. An error only ends its
     * statement. Ctrl-C discards the typed line, or cancels the running query.
     *
     * @param history file that stores typed lines
     */
    public static void run(SqlSession session, Path history) throws IOException {
        try (Terminal terminal = TerminalBuilder.builder().system(true).build()) {
            terminal.handle(Terminal.Signal.INT, signal -> session.cancel());
            LineReader reader =
                    LineReaderBuilder.builder()
                            .appName("levee sql")
                            .terminal(terminal)
                            .parser(new UntilSemicolon())
                            .completer(
                                    (line, word, candidates) -> complete(session, word, candidates))
                            .variable(LineReader.HISTORY_FILE, history)
                            .variable(LineReader.SECONDARY_PROMPT_PATTERN, "%P      ...> ")
                            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                            .build();
            boolean more = true;
            while (more) {
                more = statements(session, terminal, reader);
            }
        }
    }

    private static boolean statements(SqlSession session, Terminal terminal, LineReader reader) {
        try {
            for (SqlScript.Statement each : SqlScript.of(reader.readLine(PROMPT)).all()) {
                if (!session.run("line", each)) {
                    return false;
                }
            }
        } catch (UserInterruptException e) {
            return true; // discards the line
        } catch (EndOfFileException e) {
            return false;
        } catch (SqlSession.StatementFailedException e) {
            terminal.writer().println(e.getMessage());
        }
        return true;
    }

    private static void complete(SqlSession session, ParsedLine line, List<Candidate> candidates) {
        for (String hint : session.hints(line.line(), line.cursor())) {
            candidates.add(new Candidate(hint));
        }
    }

    /**
     * Continues a statement over several lines until its semicolon. Words that end a session need
     * none.
     */
    private static final class UntilSemicolon implements Parser {
        private final DefaultParser words =
                new DefaultParser().quoteChars(new char[0]).escapeChars(new char[0]);

        @Override
        public ParsedLine parse(String line, int cursor, ParseContext context) {
            SqlScript script = SqlScript.of(line);
            if (context == ParseContext.ACCEPT_LINE
                    && !script.rest().blank()
                    && !SqlSession.ends(script.rest())) {
                throw new EOFError(-1, cursor, "no semicolon yet");
            }
            return words.parse(line, cursor, context);
        }
    }
}
