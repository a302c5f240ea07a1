package dev.levee.operators.rounds.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.training.Runs;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Three workers of a host, two blocks of two coordinates and of one. */
class CombinerTest {
    private static final int WORKERS = 3;

    private final List<GradientBlock> sent = new ArrayList<>();
    private int expected = WORKERS;
    private final Combiner combiner =
            new Combiner(
                    Runs.of(WORKERS, 0).combined().training(),
                    new Slices(3, 3, 2),
                    round -> expected,
                    sent::add,
                    () -> 17);

    private static GradientBlock block(long round, int worker, int block, float... values) {
        Header header = Header.gradient(1, round, worker, new ShardId(0, block));
        return new GradientBlock(header, worker + 1, 0.5, 3, 4, values);
    }

    private void contribution(long round, int worker, float first, float second, float third) {
        combiner.gradient(block(round, worker, 0, first, second));
        combiner.gradient(block(round, worker, 1, third));
    }

    private static float[] sum(GradientBlock block) {
        float[] values = new float[block.partial().sum().length()];
        block.partial().sum().over(1, values);
        return values;
    }

    private static List<Integer> members(GradientBlock block) {
        return block.partial().members().stream().map(each -> each.header().sender()).toList();
    }

    @Test
    void passesOnOneRecordABlockWhenAllWorkersOfTheHostHaveAnswered() {
        contribution(0, 2, 1, 2, 3);
        contribution(0, 0, 10, 20, 30);
        assertThat(sent).isEmpty();
        contribution(0, 1, 100, 200, 300);
        assertThat(sent).hasSize(2);
        // Weights are 1, 2 and 3.
        assertThat(sum(sent.get(0))).containsExactly(213, 426);
        assertThat(sum(sent.get(1))).containsExactly(639);
        assertThat(members(sent.get(0))).containsExactly(0, 1, 2);
        assertThat(members(sent.get(1))).containsExactly(0, 1, 2);
        GradientBlock last = sent.get(1).partial().members().get(2);
        assertThat(last.weight()).isEqualTo(3);
        assertThat(last.header().block()).isEqualTo(1);
        assertThat(last.array()).isEmpty();
        assertThat(combiner.waiting()).isFalse();
    }

    @Test
    void passesOnWhatTheServerWillRefuseAndAddsUpTheOthers() {
        contribution(0, 0, 1, 2, 3);
        contribution(0, 1, 1, 2, Float.NaN);
        assertThat(sent).hasSize(2);
        assertThat(sent.get(0).values()).containsExactly(1, 2);
        assertThat(sent.get(1).values()).containsExactly(Float.NaN);
        contribution(0, 2, 1, 1, 1);
        assertThat(members(sent.get(2))).containsExactly(0, 2);
        assertThat(sent).hasSize(4);
    }

    @Test
    void aFlushSplitsNoContribution() {
        contribution(0, 0, 1, 2, 3);
        contribution(0, 1, 1, 2, 3);
        combiner.flush();
        assertThat(members(sent.get(0))).containsExactly(0, 1);
        assertThat(members(sent.get(1))).containsExactly(0, 1);
        contribution(0, 2, 7, 8, 9);
        // Alone it goes as it came.
        assertThat(sent.get(2).values()).containsExactly(7, 8);
        assertThat(sent.get(3).values()).containsExactly(9);
        assertThat(sent).hasSize(4);
    }

    @Test
    void nobodyWaitsForAnOlderRound() {
        contribution(0, 0, 1, 2, 3);
        contribution(1, 1, 4, 5, 6);
        assertThat(sent).hasSize(2);
        assertThat(sent.get(0).header().round()).isZero();
        contribution(0, 2, 1, 2, 3);
        assertThat(sent).hasSize(4);
        assertThat(sent.get(3).header().sender()).isEqualTo(2);
    }

    @Test
    void whatComesTwiceIsLeftToTheServer() {
        contribution(0, 0, 1, 2, 3);
        contribution(0, 0, 1, 2, 3);
        assertThat(sent).hasSize(2);
        contribution(0, 1, 1, 2, 3);
        contribution(0, 2, 1, 2, 3);
        assertThat(members(sent.get(2))).containsExactly(0, 1, 2);
    }

    /** What one host has sent is another's input: the same members, weights and values come out. */
    @Test
    void sumsOfHostsAreAddedUpLikeContributions() {
        contribution(0, 0, 1, 2, 3);
        contribution(0, 2, 100, 200, 300);
        combiner.flush();
        List<GradientBlock> host = List.copyOf(sent);
        assertThat(host.get(0).computedAt()).isEqualTo(17);
        sent.clear();
        List<GradientBlock> received = new ArrayList<>();
        Combiner aggregator =
                new Combiner(
                        Runs.of(WORKERS, 0).combined().training(),
                        new Slices(3, 3, 2),
                        round -> expected,
                        received::add,
                        () -> 18);
        aggregator.gradient(block(0, 1, 0, 10, 20));
        host.forEach(aggregator::gradient);
        assertThat(received).isEmpty();
        aggregator.gradient(block(0, 1, 1, 30));
        assertThat(sum(received.get(0))).containsExactly(321, 642);
        assertThat(sum(received.get(1))).containsExactly(963);
        assertThat(members(received.get(0))).containsExactly(0, 1, 2);
        assertThat(received.get(1).partial().members().get(2).weight()).isEqualTo(3);
        assertThat(received).hasSize(2);
    }

    @Test
    void aSumOfWhichAMemberHasComeIsLeftToTheServer() {
        contribution(0, 0, 1, 2, 3);
        contribution(0, 1, 1, 2, 3);
        combiner.flush();
        List<GradientBlock> host = List.copyOf(sent);
        expected = 2;
        contribution(1, 0, 1, 2, 3);
        contribution(1, 1, 1, 2, 3);
        assertThat(sent).hasSize(4);
        host.forEach(combiner::gradient);
        assertThat(sent.subList(4, 6)).isEqualTo(host);
        assertThat(combiner.waiting()).isFalse();
    }

    /** A sum that comes alone is not added up again. */
    @Test
    void theOnlySumIsPassedOnAsItCame() {
        contribution(0, 0, 1, 2, 3);
        contribution(0, 1, 1, 2, 3);
        combiner.flush();
        List<GradientBlock> received = new ArrayList<>();
        Combiner aggregator =
                new Combiner(
                        Runs.of(WORKERS, 0).combined().training(),
                        new Slices(3, 3, 2),
                        round -> 2,
                        received::add,
                        () -> 18);
        sent.forEach(aggregator::gradient);
        assertThat(received).isEqualTo(sent);
    }
}
