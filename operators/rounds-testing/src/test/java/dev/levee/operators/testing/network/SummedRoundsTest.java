package dev.levee.operators.testing.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Sums of a megabyte over links of a megabyte a second. */
class SummedRoundsTest {
    private static Setting setting(int hosts, double stragglers, double changeSeconds) {
        return new Setting(hosts, 1e-3, 1_000_000, 1e6, stragglers, 10, changeSeconds, 1);
    }

    /** Sixteen in a row against five or four to each of three hosts, then these three. */
    @Test
    void aTreeTakesTwiceTheRootOfWhatAllInARowTake() {
        var direct = new SummedRounds(setting(16, 0, 1e9), 0).run(6);
        var tree = new SummedRounds(setting(16, 0, 1e9), 4).run(6);
        assertThat(direct.seconds()[5]).isCloseTo(16, within(0.1));
        assertThat(direct.sums()[5]).isEqualTo(16);
        assertThat(tree.seconds()[5]).isCloseTo(7, within(0.1));
        assertThat(tree.sums()[5]).isLessThanOrEqualTo(4);
    }

    @Test
    void noMoreHostsSendToTheServerThanAllowedOrAllDo() {
        for (int fanIn = 1; fanIn <= 5; fanIn++) {
            var run = new SummedRounds(setting(9, 0.2, 30), fanIn).run(20);
            for (int round = 2; round < 20; round++) {
                int sums = run.sums()[round];
                assertThat(sums == 9 || sums <= fanIn).as("%s sums", sums).isTrue();
            }
        }
    }

    /** A slow host that adds up sums of others would hold up all of them, so it soon does not. */
    @Test
    void hostsThatHaveBecomeSlowAddNothingUp() {
        var direct = new SummedRounds(setting(20, 0.1, 1000), 0).run(200);
        var tree = new SummedRounds(setting(20, 0.1, 1000), 5).run(200);
        assertThat(direct.meanSeconds()).isGreaterThan(20);
        assertThat(tree.meanSeconds()).isLessThan(0.7 * direct.meanSeconds());
    }

    /** The slow host takes 10 s and all nine take 9 s, so a tree would save nothing. */
    @Test
    void aTreeIsNotMuchSlowerWhereItCannotHelp() {
        var direct = new SummedRounds(setting(9, 0.1, 200), 0).run(200);
        var tree = new SummedRounds(setting(9, 0.1, 200), 3).run(200);
        assertThat(tree.meanSeconds()).isLessThan(1.05 * direct.meanSeconds());
    }
}
