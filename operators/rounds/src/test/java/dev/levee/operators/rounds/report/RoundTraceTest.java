package dev.levee.operators.rounds.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.operators.rounds.vector.ModelDigest;

import org.junit.jupiter.api.Test;

import java.security.MessageDigest;
import java.util.List;

class RoundTraceTest {
    private static LookResult onALine(double... points) {
        double[] squares = new double[LookResult.pairs(points.length)];
        for (int i = 0; i < points.length; i++) {
            for (int j = i + 1; j < points.length; j++) {
                double apart = points[i] - points[j];
                squares[LookResult.pair(i, j, points.length)] = apart * apart;
            }
        }
        return new LookResult(points.length, squares, new double[0]);
    }

    @Test
    void distancesAreToTheNearestHalfOfTheOthers() {
        assertThat(RoundTrace.nearest(onALine(0, 1, 3, 7, 100), 5))
                .containsExactly(2, 1.5, 2.5, 5, 95);
        assertThat(RoundTrace.nearest(onALine(0, 2), 2)).containsExactly(2, 2);
        assertThat(RoundTrace.nearest(onALine(5), 1)).isEmpty();
    }

    @Test
    void liarsThatAreEqualToEachOtherAreFarAllTheSame() {
        // Two of five: each has one equal to it, and an honest one as its second neighbor.
        double[] distances = RoundTrace.nearest(onALine(0, 1, 2, 50, 50), 5);
        assertThat(distances[3]).isEqualTo(24);
        assertThat(distances[0]).isEqualTo(1.5);
    }

    @Test
    void referencesBehindTheRowsAreNoNeighbors() {
        assertThat(RoundTrace.nearest(onALine(0, 4, 1), 2)).containsExactly(4, 4);
        assertThat(RoundTrace.sees(Look.NORMS)).isFalse();
        assertThat(RoundTrace.sees(Look.DISTANCES)).isTrue();
    }

    @Test
    void aDigestIsThatOfTheBlocksDigestsWhichAnybodyCanCompute() throws Exception {
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        byte[] first = sha.digest(new byte[] {0, 0, (byte) 0x80, 0x3f, 0, 0, 0, 0x40});
        byte[] second = sha.digest(new byte[] {0, 0, 0x40, 0x40});
        assertThat(ModelDigest.ofBlock(new float[] {1, 2})).isEqualTo(first);
        assertThat(ModelDigest.ofBlock(new float[] {3})).isEqualTo(second);
        sha.update(first);
        sha.update(second);
        assertThat(ModelDigest.ofBlocks(List.of(first, second))).isEqualTo(sha.digest());
    }
}
