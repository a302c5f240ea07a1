package dev.levee.operators.flink.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.learners.Score;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.rounds.report.LocalScore;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** What participants' scores are written as, alone and in a history. */
class LocalScoreEventTest {
    private static final LocalScore SCORE = new LocalScore(3, 17, 9, Score.AUC, 0.5, 2, 0.75, 1);

    private static RunEvent.History history(LocalScore... scores) {
        return new RunEvent.History(
                1, 2, List.of(), List.of(), List.of(), List.of(), List.of(), List.of(scores));
    }

    @Test
    void isWrittenInTheseBytes() {
        byte[] bytes = EventCodec.FORMAT.bytes(new RunEvent.Tested(1, SCORE));
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo(
                        "0a"
                                + "00000001" // the server
                                + "00000003"
                                + "0000000000000011"
                                + "00000009"
                                + "0003"
                                + "617563"
                                + "3fe0000000000000"
                                + "4000000000000000"
                                + "3fe8000000000000"
                                + "3ff0000000000000");
        assertThat(EventCodec.FORMAT.of(bytes)).isEqualTo(new RunEvent.Tested(1, SCORE));
    }

    @Test
    void scoresOfAHistoryComeBack() {
        LocalScore unnamed = new LocalScore(4, 18, 2, null, Double.NaN, 1, Double.NaN, 2);
        RunEvent.History history = history(SCORE, unnamed);
        assertThat(EventCodec.FORMAT.of(EventCodec.FORMAT.bytes(history))).isEqualTo(history);
    }

    @Test
    void inVersionSixNobodyScored() throws IOException {
        byte[] bytes = EventCodec.FORMAT.bytes(history());
        byte[] six = Arrays.copyOf(bytes, bytes.length - Integer.BYTES);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(six));
        assertThat(EventCodec.FORMAT.read(in, 6)).isEqualTo(history());
        assertThat(in.available()).isZero();
    }
}
