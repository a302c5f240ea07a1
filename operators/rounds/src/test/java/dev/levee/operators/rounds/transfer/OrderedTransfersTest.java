package dev.levee.operators.rounds.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.Permission;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.report.TransferCounts;
import dev.levee.operators.rounds.training.Runs;
import dev.levee.operators.rounds.training.Training;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A server of one block and six workers; each contribution makes a version unless said. */
class OrderedTransfersTest {
    private static final long MEGABYTE = 1_000_000;

    private final List<Permission> permitted = new ArrayList<>();
    private final List<ShardReport> passed = new ArrayList<>();
    private long contributions;
    private long now;
    private OrderedTransfers transfers = transfers(1, OrderedTransfers.State.EMPTY);

    private OrderedTransfers transfers(int bound, OrderedTransfers.State state) {
        Training training = Runs.of(6, 0).quorum(1).most(1).staleness(bound).ordered().training();
        OrderedTransfers.Rounds rounds =
                new OrderedTransfers.Rounds() {
                    @Override
                    public long contributions() {
                        return contributions;
                    }

                    @Override
                    public boolean waits(int worker) {
                        return false;
                    }
                };
        return new OrderedTransfers(
                training, 0, 1, state, rounds, this::pass, permitted::add, () -> now);
    }

    private void pass(ShardReport report) {
        passed.add(report);
        contributions += report instanceof ShardReport.Arrived ? 1 : 0;
    }

    private static OrderedTransfers.State rates(Map<String, Double> rates) {
        return new OrderedTransfers.State(TransferCounts.NONE, new TreeMap<>(rates), List.of());
    }

    private static ShardReport.Announced announced(
            int worker, long base, long megabytes, String host) {
        return new ShardReport.Announced(base, 0, worker, megabytes * MEGABYTE, 1, host);
    }

    private static ShardReport.Arrived arrived(int worker, long base) {
        return new ShardReport.Arrived(
                base, new ShardId(0, 0), worker, base, 1, new double[0], 0.5, 0, 0, 0);
    }

    private static Permission permission(int worker, long base, boolean send) {
        return new Permission(0, worker, base, send);
    }

    private void report(long seconds, ShardReport report) {
        now = seconds * 1_000_000;
        transfers.report(report);
    }

    @Test
    void oneIsAskedForAtATimeAndTheShortestOfThoseThatWait() {
        transfers = transfers(8, OrderedTransfers.State.EMPTY);
        report(0, announced(0, 0, 4, "a"));
        report(0, announced(1, 0, 2, "b"));
        report(0, announced(2, 0, 1, "c"));
        assertThat(permitted).containsExactly(permission(0, 0, true));
        report(4, arrived(0, 0));
        report(5, arrived(2, 0));
        assertThat(permitted)
                .containsExactly(
                        permission(0, 0, true), permission(2, 0, true), permission(1, 0, true));
        assertThat(transfers.counts()).isEqualTo(new TransferCounts(3, 2, 0));
        assertThat(transfers.snapshot().rates()).containsEntry("a", 1e6);
    }

    @Test
    void whatStaysOnTheServersHostNeverWaits() {
        transfers = transfers(8, OrderedTransfers.State.EMPTY);
        report(0, announced(0, 0, 4, "a"));
        report(0, announced(1, 0, 0, "server"));
        assertThat(permitted).containsExactly(permission(0, 0, true), permission(1, 0, true));
        assertThat(transfers.counts()).isEqualTo(new TransferCounts(2, 0, 0));
    }

    @Test
    void whatWouldBeTooOldIsNotSent() {
        contributions = 3;
        report(0, announced(4, 1, 1, "a"));
        assertThat(permitted).containsExactly(permission(4, 1, false));
        assertThat(passed)
                .containsExactly(
                        new ShardReport.Dropped(1, new ShardId(0, 0), 4, Rejection.UNSENT));
        assertThat(transfers.counts()).isEqualTo(new TransferCounts(1, 0, 1));
    }

    @Test
    void oneThatWouldMakeAnotherTooOldIsHeldBackUntilThatHasCome() {
        transfers = transfers(1, rates(Map.of("slow", 1e4, "fast", 1e6)));
        report(0, announced(0, 0, 1, "slow"));
        report(0, announced(1, 0, 1, "fast"));
        report(1, arrived(1, 0));
        assertThat(passed).hasSize(1);
        report(2, announced(1, 1, 1, "fast"));
        assertThat(permitted)
                .containsExactly(
                        permission(0, 0, true), permission(1, 0, true), permission(1, 1, true));
        ShardReport young = arrived(1, 1);
        report(3, young);
        assertThat(passed).hasSize(1);
        assertThat(transfers.snapshot().held()).containsExactly(young);
        report(100, arrived(0, 0));
        assertThat(passed).hasSize(3);
        assertThat(passed.get(2)).isSameAs(young);
    }

    @Test
    void aRestartPassesOnWhatWasHeldBackAndForgetsWhatWasAskedFor() {
        ShardReport held = arrived(3, 0);
        OrderedTransfers.State state =
                new OrderedTransfers.State(
                        new TransferCounts(5, 1, 1), new TreeMap<>(), List.of(held));
        transfers = transfers(8, state);
        transfers.restart();
        assertThat(passed).containsExactly(held);
        // Nobody asked for it in this life.
        ShardReport before = arrived(2, 0);
        report(0, before);
        assertThat(passed).containsExactly(held, before);
        report(0, announced(0, 0, 1, "a"));
        assertThat(transfers.counts()).isEqualTo(new TransferCounts(6, 1, 1));
    }

    @Test
    void announcementsThatARestartRepeatsCountOnce() {
        transfers = transfers(8, OrderedTransfers.State.EMPTY);
        announceThree();
        TransferCounts undisturbed = transfers.counts();
        transfers = transfers(8, transfers.snapshot());
        announceThree();
        assertThat(transfers.counts())
                .isEqualTo(undisturbed)
                .isEqualTo(new TransferCounts(3, 2, 0));
    }

    private void announceThree() {
        report(0, announced(0, 0, 4, "a"));
        report(0, announced(1, 0, 2, "b"));
        report(0, announced(2, 0, 1, "c"));
    }

    @Test
    void aRepeatedRecordChangesNothing() {
        transfers = transfers(8, OrderedTransfers.State.EMPTY);
        ShardReport.Announced first = announced(0, 0, 1, "a");
        report(0, first);
        report(0, first);
        ShardReport sent = arrived(0, 0);
        report(1, sent);
        report(2, announced(0, 1, 1, "a"));
        report(3, first);
        report(3, sent);
        assertThat(permitted).containsExactly(permission(0, 0, true), permission(0, 1, true));
        assertThat(passed).containsExactly(sent, sent);
        assertThat(transfers.counts()).isEqualTo(new TransferCounts(2, 0, 0));
    }

    @Test
    void whatAShardRefusesNoLongerOccupiesTheLink() {
        transfers = transfers(8, OrderedTransfers.State.EMPTY);
        report(0, announced(0, 0, 1, "a"));
        report(0, announced(1, 0, 1, "b"));
        report(1, new ShardReport.Dropped(0, new ShardId(0, 0), 0, Rejection.NON_FINITE));
        assertThat(permitted).containsExactly(permission(0, 0, true), permission(1, 0, true));
    }
}
