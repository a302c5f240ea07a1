package dev.levee.operators.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TallyTest {
    private final Tally tally = new Tally(2);

    private long rejected(int row, Rejection reason) {
        return tally.counts().get(row).rejected()[reason.ordinal()];
    }

    @Test
    void countsAGradientOncePerReasonHoweverManyBlocksItHas() {
        tally.rejected(5, 6, 1, Rejection.LATE);
        tally.rejected(5, 6, 1, Rejection.LATE);
        tally.rejected(5, 7, 1, Rejection.LATE);
        tally.rejected(5, 7, 1, Rejection.DUPLICATE);
        tally.rejected(6, 7, 1, Rejection.LATE);
        assertThat(rejected(1, Rejection.LATE)).isEqualTo(2);
        assertThat(rejected(1, Rejection.DUPLICATE)).isEqualTo(1);
        assertThat(rejected(0, Rejection.LATE)).isZero();
    }

    @Test
    void countsEveryRecordOfUnknownSendersAndOfRoundsOutOfReach() {
        tally.rejected(5, 5, -1, Rejection.UNKNOWN_WORKER);
        tally.rejected(5, 5, 2, Rejection.UNKNOWN_WORKER);
        tally.rejected(9, 5, 0, Rejection.STALE);
        tally.rejected(9, 5, 0, Rejection.STALE);
        tally.rejected(5, 22, 0, Rejection.STALE);
        tally.rejected(5, 22, 0, Rejection.STALE);
        assertThat(tally.counts().get(2).worker()).isEqualTo(-1);
        assertThat(rejected(2, Rejection.UNKNOWN_WORKER)).isEqualTo(2);
        assertThat(rejected(0, Rejection.STALE)).isEqualTo(4);
    }

    @Test
    void aCopyGoesItsOwnWay() {
        tally.accepted(0);
        Tally copy = tally.copy();
        tally.accepted(0);
        tally.selected(0);
        tally.rejected(0, 0, 0, Rejection.LATE);
        assertThat(copy.counts().get(0).accepted()).isEqualTo(1);
        assertThat(copy.counts().get(0).selected()).isZero();
        copy.rejected(0, 0, 0, Rejection.LATE);
        assertThat(copy.counts().get(0).rejected()[Rejection.LATE.ordinal()]).isEqualTo(1);
    }
}
