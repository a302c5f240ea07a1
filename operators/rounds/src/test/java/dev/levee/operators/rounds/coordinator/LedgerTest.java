package dev.levee.operators.rounds.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.fault.Rejection;

import org.junit.jupiter.api.Test;

class LedgerTest {
    private final Ledger ledger = new Ledger(2);

    private long rejected(int row, Rejection reason) {
        return ledger.counts().get(row).rejected()[reason.ordinal()];
    }

    @Test
    void countsAGradientOncePerReasonHoweverManyBlocksItHas() {
        ledger.rejected(5, 6, 1, Rejection.LATE);
        ledger.rejected(5, 6, 1, Rejection.LATE);
        ledger.rejected(5, 7, 1, Rejection.LATE);
        ledger.rejected(5, 7, 1, Rejection.DUPLICATE);
        ledger.rejected(6, 7, 1, Rejection.LATE);
        assertThat(rejected(1, Rejection.LATE)).isEqualTo(2);
        assertThat(rejected(1, Rejection.DUPLICATE)).isEqualTo(1);
        assertThat(rejected(0, Rejection.LATE)).isZero();
    }

    @Test
    void countsEveryRecordOfUnknownSendersAndOfRoundsOutOfReach() {
        ledger.rejected(5, 5, -1, Rejection.UNKNOWN_WORKER);
        ledger.rejected(5, 5, 2, Rejection.UNKNOWN_WORKER);
        ledger.rejected(9, 5, 0, Rejection.STALE);
        ledger.rejected(9, 5, 0, Rejection.STALE);
        ledger.rejected(5, 22, 0, Rejection.STALE);
        ledger.rejected(5, 22, 0, Rejection.STALE);
        assertThat(ledger.counts().get(2).worker()).isEqualTo(-1);
        assertThat(rejected(2, Rejection.UNKNOWN_WORKER)).isEqualTo(2);
        assertThat(rejected(0, Rejection.STALE)).isEqualTo(4);
    }

    @Test
    void aCopyGoesItsOwnWay() {
        ledger.closed(new int[] {0}, new int[0]);
        Ledger copy = ledger.copy();
        ledger.closed(new int[] {0}, new int[] {0});
        ledger.rejected(0, 0, 0, Rejection.LATE);
        assertThat(copy.counts().get(0).accepted()).isEqualTo(1);
        assertThat(copy.counts().get(0).selected()).isZero();
        copy.rejected(0, 0, 0, Rejection.LATE);
        assertThat(copy.counts().get(0).rejected()[Rejection.LATE.ordinal()]).isEqualTo(1);
    }
}
