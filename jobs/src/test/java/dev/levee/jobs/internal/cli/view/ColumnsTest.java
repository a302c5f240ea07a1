package dev.levee.jobs.internal.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

class ColumnsTest {
    private static final List<List<String>> LINES =
            List.of(
                    List.of("rule", "what it does with the rows of a round"),
                    List.of("krum", "one row"));

    private static String print(int columns) {
        StringWriter text = new StringWriter();
        Columns.print(new PrintWriter(text), LINES, columns);
        return text.toString();
    }

    @Test
    void aNarrowTerminalWrapsTheLastCell() {
        assertThat(print(30))
                .isEqualTo(
                        """
                        rule  what it does with the
                              rows of a round
                        krum  one row
                        """);
    }

    @Test
    void whereWidthDoesNotMatterOrWouldNotDoALineIsALine() {
        String wide =
                """
                rule  what it does with the rows of a round
                krum  one row
                """;
        assertThat(print(0)).isEqualTo(wide);
        assertThat(print(12)).isEqualTo(wide);
        assertThat(print(80)).isEqualTo(wide);
    }
}
