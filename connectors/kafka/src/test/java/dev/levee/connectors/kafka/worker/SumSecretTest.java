package dev.levee.connectors.kafka.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.operators.rounds.securesum.SumTask;
import dev.levee.operators.rounds.securesum.plan.SumRates;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

class SumSecretTest {
    private static final SumRates RATES = SumRates.parse("dropout=0.4");

    @TempDir Path directory;

    private static SumTask task(long run, long round) {
        return new SumTask(run, round, 5, RATES);
    }

    @Test
    void aDeviceThatStartsAgainHasTheSameSecretInARoundAndNoOtherHasIt() throws Exception {
        Path state = directory.resolve("new/w3");
        byte[] first = SumSecret.of(state).of(task(7, 1), 3);
        assertThat(SumSecret.of(state).of(task(7, 1), 3)).isEqualTo(first).hasSize(32);
        assertThat(SumSecret.of(state).of(task(7, 2), 3)).isNotEqualTo(first);
        assertThat(SumSecret.of(state).of(task(8, 1), 3)).isNotEqualTo(first);
        assertThat(SumSecret.of(directory.resolve("w4")).of(task(7, 1), 3)).isNotEqualTo(first);
        Path file = directory.resolve("new/w3.secret");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void withoutAFileItIsThatOfTheProcess() {
        assertThat(SumSecret.of(null).of(task(7, 1), 3))
                .isNotEqualTo(SumSecret.of(null).of(task(7, 1), 3));
    }

    @Test
    void aFileThatIsSomethingElseIsRefused() throws Exception {
        Files.writeString(directory.resolve("w3.secret"), "short");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SumSecret.of(directory.resolve("w3")))
                .withMessageEndingWith("w3.secret next to --state is not a device's secret");
    }
}
