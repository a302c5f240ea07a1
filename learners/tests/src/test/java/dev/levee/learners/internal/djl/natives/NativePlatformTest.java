package dev.levee.learners.internal.djl.natives;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NativePlatformTest {
    /** What JDKs of each platform say of themselves. */
    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, linux-x86_64",
        "Linux, x86_64, linux-x86_64",
        "Linux, aarch64, linux-aarch64",
        "Mac OS X, aarch64, osx-aarch64",
        "Windows 11, amd64, win-x86_64",
        "Windows Server 2022, amd64, win-x86_64"
    })
    void hasNatives(String system, String processor, String classifier) {
        NativePlatform platform = new NativePlatform(system, processor);
        assertThat(platform.classifier()).contains(classifier);
        assertThat(platform.missing()).endsWith("pytorch-native-cpu:2.7.1:" + classifier);
    }

    @ParameterizedTest
    @CsvSource({
        "Mac OS X, x86_64",
        "Linux, riscv64",
        "Linux, i386",
        "Windows 11, aarch64",
        "FreeBSD, amd64"
    })
    void hasNone(String system, String processor) {
        NativePlatform platform = new NativePlatform(system, processor);
        assertThat(platform.classifier()).isEmpty();
        assertThat(platform.missing())
                .endsWith(
                        "but this is "
                                + system
                                + " on "
                                + processor
                                + "; --model logistic needs none");
    }

    @Test
    void theMachineThatBuildsIsOne() {
        assertThat(NativePlatform.current().classifier()).isPresent();
    }
}
