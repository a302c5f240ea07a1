package dev.levee.learners.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code AdversarialGradientTest} checks the gradients themselves, on machines of either kind. */
class HiddenCachesTest {
    @TempDir private Path root;

    @ParameterizedTest
    @CsvSource({
        "AuthenticAMD, cpu0, true",
        "AuthenticAMD, cpu0/cache/index0, false",
        "GenuineIntel, cpu0, false"
    })
    void onlyAmdProcessorsThatShowNoCacheHideIt(String vendor, String folder, boolean hidden)
            throws IOException {
        Files.createDirectories(root.resolve("sys/devices/system/cpu").resolve(folder));
        Path description = Files.createDirectories(root.resolve("proc")).resolve("cpuinfo");
        Files.writeString(description, "processor\t: 0\nvendor_id\t: " + vendor + "\n");
        assertThat(HiddenCaches.hidden(root)).isEqualTo(hidden);
    }

    @Test
    void otherSystemsShowNothingAndHideNothing() {
        assertThat(HiddenCaches.hidden(root)).isFalse();
    }
}
