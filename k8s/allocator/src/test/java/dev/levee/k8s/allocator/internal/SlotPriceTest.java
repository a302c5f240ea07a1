package dev.levee.k8s.allocator.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

class SlotPriceTest {
    private static final double NEVER = Double.POSITIVE_INFINITY;

    /** Makes 1 round a second with one worker, 1.5 with two, 2 with four. */
    private static Bid bid(double left) {
        return new Bid(
                SizeOptions.equal(new int[] {1, 2, 4}, 3), new double[] {1, 1.5, 2}, true, left);
    }

    @Test
    void aRoundCostsSecondsAndSlotSeconds() {
        // At 0.1: 1.1 / 1 alone, 1.2 / 1.5 with two, 1.4 / 2 with four.
        assertThat(bid(0).cost(0.1)).isCloseTo(0.7, within(1e-12));
        // At 1: 2 / 1, 3 / 1.5, 5 / 2.
        assertThat(bid(0).cost(1)).isCloseTo(2, within(1e-12));
        assertThat(bid(0).cheapest(0.1)).isEqualTo(2);
        assertThat(bid(0).cheapest(2)).isZero();
    }

    @Test
    void workersFallAsThePriceRises() {
        // Four beat two while 1.4 / 2 < 1.2 / 1.5 and so on: (1 + 4λ) / 2 < (1 + 2λ) / 1.5 for λ <
        // 0.5.
        assertThat(bid(0).wanted(0.2, NEVER)).isEqualTo(4);
        assertThat(bid(0).wanted(0.3, NEVER)).isEqualTo(2);
        assertThat(bid(0).wanted(1.1, NEVER)).isEqualTo(1);
        assertThat(bid(0).wanted(100, NEVER)).isEqualTo(1);
    }

    @Test
    void howMuchIsLeftMattersOnlyWherePricesFall() {
        assertThat(bid(1e6).worth(0.5, NEVER)).isEqualTo(bid(0).worth(0.5, NEVER));
        // It ends in 1000 / 2 s = half the decay: a slot will go for 0.1·e^−½ = 0.06065.
        assertThat(bid(1000).worth(0.1, 1000)).isCloseTo((1 + 4 * 0.0606531) / 2, within(1e-6));
    }

    @Test
    void aLongJobWaitsWhereAShortOneDoesNot() {
        assertThat(bid(100_000).wanted(5, 1000)).isZero();
        assertThat(bid(1).wanted(5, 1000)).isEqualTo(1);
    }

    @Test
    void whatIsOnlyInOutlookCountsForWorthAndIsNotGiven() {
        Bid bid =
                new Bid(
                        SizeOptions.equal(new int[] {1, 2, 4}, 1),
                        new double[] {1, 1.5, 2},
                        true,
                        0);
        assertThat(bid.wanted(0.1, NEVER)).isEqualTo(1);
        assertThat(bid.worth(0.1, NEVER)).isCloseTo(0.7, within(1e-12));
    }

    /**
     * So nobody bids more for slots by saying that it is fast: only what more of them add counts.
     */
    @Test
    void noBidIsMoreThanASecondAndTheSlotsAtTheirPrice() {
        for (int seed = 0; seed < 1000; seed++) {
            Random random = new Random(seed);
            int[] workers = {1, 2, 4, 8};
            double[] goodput = new double[workers.length];
            for (int i = 0; i < goodput.length; i++) {
                goodput[i] = Math.pow(10, 24 * random.nextDouble() - 12);
            }
            double left = Math.pow(10, 18 * random.nextDouble() - 3);
            double price = Math.pow(10, 9 * random.nextDouble() - 6);
            Bid bid = new Bid(SizeOptions.equal(workers, 4), goodput, true, left);
            for (int i = 0; i < goodput.length; i++) {
                assertThat(bid.worth(price, 10_000) * goodput[i])
                        .as("seed %d", seed)
                        .isLessThanOrEqualTo((1 + price * workers[i]) * (1 + 1e-12));
            }
        }
    }

    @Test
    void thePriceIsTheLowestAtWhichAllFit() {
        // Two jobs and six slots: at 0.25 four become two, for both at once.
        assertThat(SlotPrice.of(List.of(bid(0), bid(0)), 6, NEVER)).isCloseTo(0.25, within(1e-6));
        assertThat(SlotPrice.of(List.of(bid(0), bid(0)), 3, NEVER)).isCloseTo(1, within(1e-6));
        assertThat(SlotPrice.of(List.of(bid(0)), 8, NEVER)).isLessThan(1e-5);
    }
}
