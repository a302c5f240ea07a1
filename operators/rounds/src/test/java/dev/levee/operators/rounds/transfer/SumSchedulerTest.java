package dev.levee.operators.rounds.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.SumTree;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
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

    private static ShardReport.Gathered gathered(long round, int worker, long micros) {
        return new ShardReport.Gathered(round, 0, worker, 2, 2 + micros);
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
        assertThat(scheduler.report(gathered(0, 4, 1000))).isTrue();
    }

    /** Process 1 has become ten times as slow: the others send to it no more. */
    @Test
    void aProcessWithASlowLinkIsRelieved() {
        SumScheduler scheduler = scheduler(1, 0);
        place(scheduler);
        for (long round = 0; round < 20 && trees.size() < 2; round++) {
            scheduler.report(gathered(round, 4, 20_000));
            scheduler.report(gathered(round, 6, 20_000));
            scheduler.report(arrived(round, 2, round < 3 ? 10_000 : 100_000));
        }
        assertThat(trees).hasSize(2);
        assertThat(trees.get(1).aggregators()[0]).isZero();
        assertThat(trees.get(1).aggregators()[4]).isNotEqualTo(2);
        assertThat(trees.get(1).aggregators()[6]).isNotEqualTo(2);
        assertThat(trees.get(1).from()).isBetween(5L, 7L);
    }

    /** Workers 2 to 7 in one sum of process 1, which is slow, and 0 and 1 beside the server. */
    @Test
    void aRoundThatIsCompleteDecidesForTheNextOne() {
        SumScheduler scheduler = scheduler(1, 0);
        place(scheduler);
        for (long round = 0; round < 3; round++) {
            long micros = round == 2 ? 1_000_000 : 10_000;
            scheduler.report(gathered(round, 4, 2 * micros));
            scheduler.report(gathered(round, 6, 2 * micros));
            scheduler.report(arrived(round, 0, 1));
            scheduler.report(arrived(round, 1, 1));
            ShardReport.Arrived row = arrived(round, 4, micros);
            assertThat(trees).hasSize(1);
            scheduler.report(new ShardReport.Combined(Collections.nCopies(6, row), 2));
        }
        assertThat(trees).hasSize(2);
        assertThat(trees.get(1).from()).isEqualTo(3);
        assertThat(trees.get(1).aggregators()).containsExactly(0, 0, 2, 2, 4, 4, 6, 6);
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
