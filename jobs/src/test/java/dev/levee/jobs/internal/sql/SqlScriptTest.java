package dev.levee.jobs.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.sql.SqlScript.Statement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlScriptTest {
    @Test
    void statementsEndAtSemicolonsAndKnowTheirLines() {
        assertThat(SqlScript.of("SELECT 1;\n\n  SELECT\n 2;SELECT 3").all())
                .containsExactly(
                        new Statement(1, "SELECT 1"),
                        new Statement(3, "SELECT\n 2"),
                        new Statement(4, "SELECT 3"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 'a;b'",
                "SELECT 'it''s; so'",
                "SELECT `a;b`",
                "SELECT /*+ OPTIONS('a'=';') */ 1",
                "EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END",
                "STATEMENT SET BEGIN INSERT INTO a SELECT CASE WHEN b THEN 1 END; SELECT 2; end",
                "STATEMENT SET BEGIN INSERT INTO a SELECT 'case', `case` FROM b; SELECT ' END'; END"
            })
    void aSemicolonInsideEndsNothing(String statement) {
        assertThat(SqlScript.of(statement + ";SELECT 1").all())
                .containsExactly(new Statement(1, statement), new Statement(1, "SELECT 1"));
    }

    @Test
    void commentsAreLeftOutAndTheirLinesCounted() {
        assertThat(SqlScript.of("-- a; b\n/* c;\n d */ SELECT -- e;\n 1 /* f\n */, 2").all())
                .containsExactly(new Statement(3, "SELECT \n 1  \n, 2"));
    }

    @Test
    void whatIsOpenIsTheRest() {
        assertThat(SqlScript.of("SELECT 1; SELECT 'a;").rest().text()).isEqualTo("SELECT 'a;");
        assertThat(SqlScript.of("SELECT 1; -- done").rest().blank()).isTrue();
        assertThat(SqlScript.of(" ;; \n").all()).isEmpty();
    }
}
