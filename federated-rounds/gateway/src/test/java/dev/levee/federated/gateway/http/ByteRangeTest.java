package dev.levee.federated.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.federated.gateway.topic.RefusedException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangeTest {
    /** Examples of RFC 9110, section 14.1.2, for a representation of 10,000 bytes. */
    @ParameterizedTest
    @CsvSource({
        "bytes=0-499, 0, 499",
        "bytes=500-999, 500, 999",
        "bytes=-500, 9500, 9999",
        "bytes=9500-, 9500, 9999",
        "bytes=9500-20000, 9500, 9999",
        "bytes=-20000, 0, 9999",
    })
    void isTheOneThatIsAskedFor(String header, long from, long to) throws Exception {
        assertThat(ByteRange.of(header, 10_000)).isEqualTo(new ByteRange(from, to, true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=0-0,-1", "bytes=-", "bytes=x-", "lines=1-2", "", "bytes= 1-2"})
    void isTheWholeForWhatIsNoSingleRange(String header) throws Exception {
        assertThat(ByteRange.of(header, 10_000)).isEqualTo(new ByteRange(0, 9999, false));
    }

    @Test
    void isTheWholeWithoutAHeader() throws Exception {
        assertThat(ByteRange.of(null, 10_000).length()).isEqualTo(10_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=10000-", "bytes=5-4", "bytes=-0"})
    void isRefusedWhereThereIsNone(String header) {
        assertThatThrownBy(() -> ByteRange.of(header, 10_000))
                .isInstanceOf(RefusedException.class)
                .hasMessage("the model has 10000 bytes");
    }
}
