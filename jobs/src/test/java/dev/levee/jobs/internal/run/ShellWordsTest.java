package dev.levee.jobs.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

class ShellWordsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain/path:1,2=3",
                "it's 'quoted'",
                "'",
                "two words",
                "$HOME `date` \\ \"x\" *;&|",
                "clip(2) | median"
            })
    void aShellReadsAWordBackAsItWas(String word) throws IOException {
        Process shell =
                new ProcessBuilder("sh", "-c", "printf %s " + ShellWords.quoted(word)).start();
        assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(word);
    }
}
