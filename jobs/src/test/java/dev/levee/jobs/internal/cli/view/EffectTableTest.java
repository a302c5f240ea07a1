package dev.levee.jobs.internal.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;

class EffectTableTest {
    private static String printed(String p) throws Exception {
        StringWriter out = new StringWriter();
        new EffectTable(
                        new ObjectMapper()
                                .readTree(
                                        """
                                        {"configuration": {"level": 0.95},
                                         "treatments": {"d": {"coefficient": 0, "p": %s}}}
                                        """
                                                .formatted(p)))
                .print(new PrintWriter(out, true));
        return out.toString();
    }

    @Test
    void aMissingNumberIsADash() throws Exception {
        assertThat(printed("null")).containsPattern("d +0.000000 +– +– +– ");
        assertThat(printed("0.00001")).contains("<0.0001");
        assertThat(printed("0.0312")).contains("0.0312");
    }
}
