package dev.levee.operators.rounds.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.SumTree;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Eight subtasks, two to a process; the server's only block is in the first process. */
class SumSchedulerTest {
    private static final Slices SLICES = new Slices(250_000, 250_000, 250_000);
    private static final int[] WORKERS = {0, 1, 2, 3, 4, 5, 6, 7};

    private final List<SumTree> trees = new ArrayList<>();

    private SumScheduler scheduler(int fanIn, long round) {
        return new SumScheduler(0, SLICES, new int[] {1}, WORKERS, fanIn, round, trees::add);
    }

    private static void place(SumScheduler scheduler) {
        for (int subtask = 7; subtask >= 0; subtask--) {
            assertThat(
                            scheduler.report(
                                    new ShardReport.Placed(
                                            0, subtask, 8, "process " + subtask / 2)))
                    .isTrue();
        }
    }

    private static ShardReport.Arrived arrived(long round, int worker, long micros) {
        return new ShardReport.Arrived(
                round, new ShardId(0, 0), worker, round, 1, new double[0], 1, 1, 2, 2 + micros);
    }

    @Test
    void oneProcessAddsUpWhatTheOthersSendOnceAllHaveSaidWhereTheyAre() {
        SumScheduler scheduler = scheduler(1, 5);
        assertThat(trees).isEmpty();
        place(scheduler);
        // The server's process sends what never leaves it, and is asked for nothing else.
        assertThat(trees).hasSize(1);
        assertThat(trees.get(0).from()).isEqualTo(6);
        assertThat(trees.get(0).aggregators()).containsExactly(0, 0, 2, 2, 2, 2, 2, 2);
    }

    @Test
    void reportsOfTheRoundGoOnToTheCoordinator() {
        SumScheduler scheduler = scheduler(1, 0);
        place(scheduler);
        assertThat(scheduler.report(arrived(0, 2, 1000))).isFalse();
        assertThat(scheduler.report(new ShardReport.Combined(List.of(arrived(0, 2, 9)), 4)))
                .isFalse();
        assertThat(scheduler.report(new ShardReport.Gathered(0, 0, 4, 1000))).isTrue();
    }

    /** Process 1 has become ten times as slow: another one adds up from the round after next on. */
    @Test
    void aProcessWithASlowLinkIsRelieved() {
        SumScheduler scheduler = scheduler(1, 0);
        place(scheduler);
        for (long round = 0; round < 20 && trees.size() < 2; round++) {
            scheduler.report(new ShardReport.Gathered(round, 0, 4, 20_000));
            scheduler.report(new ShardReport.Gathered(round, 0, 6, 20_000));
            scheduler.report(arrived(round, 2, round < 3 ? 10_000 : 100_000));
        }
        assertThat(trees).hasSize(2);
        assertThat(trees.get(1).aggregators()[0]).isZero();
        assertThat(trees.get(1).aggregators()[2]).isGreaterThan(3);
        assertThat(trees.get(1).from()).isBetween(5L, 12L);
    }

    @Test
    void aTreeHoldsFromItsRoundOn() {
        SumTrees told = new SumTrees();
        assertThat(told.aggregator(3, 1, 9)).isEqualTo(9);
        told.add(new SumTree(0, 2, new int[] {0, 0}));
        told.add(new SumTree(0, 6, new int[] {1, 1}));
        told.add(new SumTree(0, 6, new int[] {1, 1}));
        assertThat(told.aggregator(1, 1, 9)).isEqualTo(9);
        assertThat(told.aggregator(5, 1, 9)).isZero();
        assertThat(told.aggregator(6, 0, 9)).isEqualTo(1);
    }
}
