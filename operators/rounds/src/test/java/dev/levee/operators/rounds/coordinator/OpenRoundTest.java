package dev.levee.operators.rounds.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.training.Runs;
import dev.levee.operators.rounds.training.Training;

import org.junit.jupiter.api.Test;

import java.util.BitSet;
import java.util.stream.IntStream;

/** Rounds of 12 members, the even ids below 24, in two blocks; shards keep at most six rows. */
class OpenRoundTest {
    private static final long RUN = 7;

    private static final int[] IDS = IntStream.range(0, 12).map(place -> 2 * place).toArray();
    private static final Training SUMMED =
            Runs.of(24, 2).sampled(12).quorum(10).rowsHeld(6).training();

    private static Settings settings(Training training) {
        return training.settings(0, Cohort.of(IDS));
    }

    private static OpenRound open(Training training) {
        Settings settings = settings(training);
        return new OpenRound(
                training,
                RUN,
                0,
                0,
                settings,
                false,
                OpenRound.State.empty(training, training.rule(), 0, settings, 2));
    }

    private static void arrive(OpenRound open, int block, int id) {
        open.intake()
                .arrived(
                        new ShardReport.Arrived(
                                0, new ShardId(0, block), id, 0, 1, new double[0], 1, 1, 2, 3),
                        false);
        open.clock().armOnce(100);
    }

    private static void complete(OpenRound open, int... ids) {
        for (int id : ids) {
            arrive(open, 1, id);
            arrive(open, 0, id);
        }
    }

    private static BitSet places(int... places) {
        BitSet set = new BitSet();
        IntStream.of(places).forEach(set::set);
        return set;
    }

    @Test
    void admitsCompleteContributionsOnly() {
        OpenRound open = open(SUMMED);
        complete(open, 4, 20);
        arrive(open, 0, 6);
        arrive(open, 1, 8);
        assertThat(open.admit()).isNull();
        complete(open, 0);
        // Half of the six rows that a shard may keep are complete: at places 0, 2 and 10.
        assertThat(open.admit()).isEqualTo(places(0, 2, 10));

        arrive(open, 1, 6);
        arrive(open, 0, 8);
        assertThat(open.admit()).isNull();
        complete(open, 22);
        // Those of earlier admissions are named again.
        assertThat(open.admit()).isEqualTo(places(0, 2, 3, 4, 10, 11));
    }

    @Test
    void theRowsOfARoundHaveAllThatWereAdmitted() {
        OpenRound open = open(SUMMED);
        for (int id = 22; id >= 4; id -= 2) {
            BitSet admitted = open.admit();
            complete(open, id);
            assertThat(admitted == null || open.arrivals().completeCount() > 3).isTrue();
        }
        OpenRound.Rows rows = open.close();
        assertThat(rows.places()).containsExactly(2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
        assertThat(rows.ids()).containsExactly(4, 6, 8, 10, 12, 14, 16, 18, 20, 22);
        assertThat(rows.f()).isEqualTo(2);
    }

    @Test
    void aFaultAfterAdmissionKeepsTheRow() {
        OpenRound open = open(SUMMED);
        complete(open, 0, 2, 4);
        assertThat(open.admit()).isEqualTo(places(0, 1, 2));
        complete(open, 6);
        open.fault(2, Rejection.CONTRADICTORY);
        open.fault(6, Rejection.CONTRADICTORY);

        // 2 may have been added up, 6 cannot have been.
        assertThat(open.faults().workers()).containsExactly(6);
        assertThat(open.arrivals().complete()).containsExactly(0, 1, 2);
        assertThat(open.f()).isEqualTo(1);
        assertThat(open.admit()).isNull();
        complete(open, 8, 10, 12, 14, 16, 18, 20);
        assertThat(open.close().ids()).containsExactly(0, 2, 4, 8, 10, 12, 14, 16, 18, 20);
    }

    @Test
    void remembersWhatItAdmitted() {
        OpenRound open = open(SUMMED);
        complete(open, 0, 2, 4);
        open.admit();
        OpenRound.State state = open.snapshot();
        complete(open, 6, 8, 10);
        open.admit();

        OpenRound restored = new OpenRound(SUMMED, RUN, 0, 0, settings(SUMMED), true, state);
        restored.fault(4, Rejection.CONTRADICTORY);
        restored.fault(6, Rejection.WRONG_SIZE);
        assertThat(restored.faults().workers()).containsExactly(6);
        complete(restored, 8, 10);
        assertThat(restored.admit()).isNull();
        complete(restored, 12);
        assertThat(restored.admit()).isEqualTo(places(0, 1, 2, 4, 5, 6));
    }

    @Test
    void aFaultOfAStrangerIsNone() {
        OpenRound open = open(SUMMED);
        open.fault(1, Rejection.NON_FINITE);
        open.fault(3, Rejection.NON_FINITE);
        open.fault(5, Rejection.NON_FINITE);
        assertThat(open.faults().count()).isZero();
        open.fault(2, Rejection.NON_FINITE);
        open.fault(4, Rejection.NON_FINITE);
        assertThatThrownBy(() -> open.fault(6, Rejection.WRONG_SIZE))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("more proven faults than f = 2: worker 2");
    }

    @Test
    void whoIsMissingIsNamedById() {
        OpenRound open = open(SUMMED);
        complete(open, 0, 2, 4, 6, 8, 10, 12, 14, 16);
        arrive(open, 0, 18);
        open.fault(22, Rejection.WRONG_SIZE);
        assertThat(open.missing()).containsExactly(18, 20);
    }

    @Test
    void admitsNothingWhereRowsAreKept() {
        OpenRound robust =
                open(Runs.of(24, 2).sampled(12).quorum(10).rule("median").rowsHeld(6).training());
        complete(robust, 0, 2, 4, 6, 8, 10);
        assertThat(robust.admit()).isNull();
        OpenRound few = open(Runs.of(24, 2).sampled(12).quorum(10).rowsHeld(12).training());
        complete(few, 0, 2, 4, 6, 8, 10);
        assertThat(few.admit()).isNull();
    }

    @Test
    void admitsEachAtOnceWhereNoRowIsToBeKept() {
        for (int held : new int[] {0, 1, 2, 3}) {
            OpenRound open = open(Runs.of(24, 2).sampled(12).quorum(10).rowsHeld(held).training());
            complete(open, 16);
            assertThat(open.admit()).as("%d rows held", held).isEqualTo(places(8));
        }
    }

    /** A contribution to an older model. */
    private static void completeOlder(OpenRound open, int id, long base) {
        for (int block = 0; block < 2; block++) {
            open.intake()
                    .arrived(
                            new ShardReport.Arrived(
                                    open.number(),
                                    new ShardId(0, block),
                                    id,
                                    base,
                                    1,
                                    new double[0],
                                    1,
                                    1,
                                    2,
                                    3),
                            false);
        }
    }

    private static OpenRound sixth(Training training) {
        Settings settings = training.settings(6, Cohort.of(IDS));
        OpenRound.State first = OpenRound.State.empty(training, training.rule(), 2, settings, 2);
        return new OpenRound(training, RUN, 0, 6, settings, false, first);
    }

    @Test
    void takesTheOldestOfMoreThanItMay() {
        Training training = Runs.of(24, 0).quorum(2).staleness(4).most(2).training();
        OpenRound open = sixth(training);
        completeOlder(open, 4, 6);
        completeOlder(open, 8, 5);
        completeOlder(open, 2, 5);
        completeOlder(open, 20, 3);
        OpenRound.Rows rows = open.close();
        assertThat(rows.ids()).containsExactly(2, 20);
        assertThat(rows.bases()).containsExactly(5, 3);
        assertThat(open.answered(rows.places())).containsExactly(5, 3);
        // The others stay, and are the next round's.
        OpenRound next = open.next(rows, training.settings(7, Cohort.of(IDS)), false);
        assertThat(next.close().ids()).containsExactly(4, 8);
        assertThat(next.close().bases()).containsExactly(6, 5);
    }

    @Test
    void waitsBeyondItsDeadlineForAsManyAsItWants() {
        Training training = Runs.of(24, 0).sampled(12).deadlineMillis(20).least(3).training();
        OpenRound open = open(training);
        open.clock().opened(0);
        complete(open, 4, 8);
        assertThat(open.clock().due(20_000)).isTrue();
        open.timedOut();
        assertThat(open.close()).isNull();
        assertThat(open.overtime()).isTrue();
        OpenRound restored =
                new OpenRound(training, RUN, 0, 0, settings(training), true, open.snapshot());
        complete(restored, 6);
        assertThat(restored.close().ids()).containsExactly(4, 6, 8);
        assertThat(restored.overtime()).isTrue();

        OpenRound enough = open(training);
        complete(enough, 4, 8, 10);
        enough.timedOut();
        assertThat(enough.close().ids()).containsExactly(4, 8, 10);
        assertThat(enough.overtime()).isFalse();
    }

    @Test
    void itsClockMayBeNegative() {
        Training training = Runs.of(24, 2).sampled(12).quorum(10).timeoutMillis(20).training();
        OpenRound open = open(training);
        assertThat(open.clock().due(-50_000)).isFalse();
        open.clock().arm(-50_000);
        assertThat(open.clock().alarm()).hasValue(-30_000);
        assertThat(open.clock().due(-30_001)).isFalse();
        assertThat(open.clock().due(-30_000)).isTrue();
        assertThat(open.clock().alarm()).isEmpty();
        assertThat(open.clock().due(1L << 60)).isFalse();
        open.clock().arm(-20_000);
        assertThat(open.clock().alarm()).hasValue(0);
        open.clock().disarm();
        assertThat(open.clock().alarm()).isEmpty();
    }
}
