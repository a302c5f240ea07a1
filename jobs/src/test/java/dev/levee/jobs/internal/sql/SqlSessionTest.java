package dev.levee.jobs.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;

class SqlSessionTest {
    private final StringWriter out = new StringWriter();
    private final SqlSession session = new SqlSession(new Configuration(), new PrintWriter(out));

    /** Such as the paths of many jars. */
    @Test
    void anOptionMayHaveALongValue() {
        String value = "it''s ".repeat(100_000);
        session.run("-e", "SET 'a' = '%1$s'; RESET '%1$s'; SET".formatted(value));
        assertThat(out.toString().strip()).hasSize("'a' = '".length() + 500_000 + 1);
    }

    @Test
    void completionsDoNotFixTheExecutionMode() {
        assertThat(session.hints("SHOW MOD", 8)).contains("MODULES");
        session.run("-e", "SET 'execution.runtime-mode' = 'batch'; SET");
        assertThat(out.toString()).contains("'execution.runtime-mode' = 'batch'");
    }
}
