package dev.levee.k8s.allocator.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

class SlotPricingTest {
    private static final int INSTANCES = 300;

    @Test
    void slotsGoWhereTheyAddMost() {
        Offer flat = new Offer(new int[] {0, 1, 2}, new double[] {0, 1, 1.2});
        Offer steep = new Offer(new int[] {0, 1, 2}, new double[] {0, 1.1, 2});
        assertThat(SlotPricing.of(List.of(flat, steep), 1).sizes()).containsExactly(0, 1);
        assertThat(SlotPricing.of(List.of(flat, steep), 3).sizes()).containsExactly(1, 2);
        assertThat(SlotPricing.of(List.of(flat, steep), 9).sizes()).containsExactly(2, 2);
    }

    @Test
    void amongEqualsTheEarlierGoesFirst() {
        Offer one = new Offer(new int[] {0, 1}, new double[] {0, 1});
        assertThat(SlotPricing.of(List.of(one, one, one), 2).sizes()).containsExactly(1, 1, 0);
    }

    @Test
    void whatIsLeftIsNotLostOnAJobThatIsTooLarge() {
        Offer large = new Offer(new int[] {0, 4}, new double[] {0, 8});
        Offer small = new Offer(new int[] {0, 1}, new double[] {0, 1});
        assertThat(SlotPricing.of(List.of(large, small), 3).sizes()).containsExactly(0, 1);
    }

    @Test
    void fastSlotsGoToWhoGainsMostByThem() {
        // One fast slot and two slow ones: b loses less than a on a slow one.
        Offer a = onClasses(new int[] {0, 1, 1}, new double[] {0, 0.5, 1}, 0, 1, 2);
        Offer b = onClasses(new int[] {0, 1, 1}, new double[] {0, 0.5, 1}, 0, 1.8, 2);
        SlotPricing sale = SlotPricing.of(List.of(a, b), 1, 2);
        assertThat(sale.sizes()).containsExactly(2, 1);
        // Without slow slots one of them runs, at full speed.
        assertThat(SlotPricing.of(List.of(a, b), 1, 0).sizes()).containsExactlyInAnyOrder(2, 0);
        // Slots of any class will do for who may be in the slowest.
        assertThat(SlotPricing.of(List.of(b, b, b), 3, 0).sizes()).doesNotContain(0);
    }

    /** Beside a dynamic programme over slots that are fast and slots in all. */
    @Test
    void isCloseToOptimalOnTwoClassesToo() {
        double lost = 0;
        double worst = 0;
        for (int seed = 0; seed < INSTANCES; seed++) {
            Random random = new Random(seed);
            List<Offer> offers = new ArrayList<>();
            for (int j = 1 + random.nextInt(8); j > 0; j--) {
                offers.add(concaveOnTwoClasses(random));
            }
            int fast = random.nextInt(16);
            int slow = 1 + random.nextInt(16);
            int[] sizes = SlotPricing.of(offers, fast, slow).sizes();
            double value = 0;
            int used = 0;
            int usedFast = 0;
            for (int i = 0; i < sizes.length; i++) {
                Offer offer = offers.get(i);
                value += offer.values()[sizes[i]];
                used += offer.workers()[sizes[i]];
                usedFast += offer.classes()[sizes[i]] == 0 ? offer.workers()[sizes[i]] : 0;
            }
            assertThat(used).as("seed %d", seed).isLessThanOrEqualTo(fast + slow);
            assertThat(usedFast).as("seed %d", seed).isLessThanOrEqualTo(fast);
            double share = 1 - value / optimum(offers, fast, slow);
            lost += share / INSTANCES;
            worst = Math.max(worst, share);
        }
        assertThat(lost).isBetween(-1e-9, 0.02);
        assertThat(worst).isLessThan(0.25);
    }

    /** The first size is none, on the slowest slots; a unit of 1 is a fast slot. */
    private static Offer onClasses(int[] workers, double[] units, double... values) {
        int[] classes = new int[workers.length];
        for (int i = 0; i < classes.length; i++) {
            classes[i] = units[i] < workers[i] || workers[i] == 0 ? 1 : 0;
        }
        return new Offer(workers, classes, units, values);
    }

    private static Offer concaveOnTwoClasses(Random random) {
        int[] sizes = {1, 2, 4, 8};
        double slow = 0.25 + 0.75 * random.nextDouble();
        double scale = 0.5 + random.nextDouble();
        double exponent = 0.3 + 0.6 * random.nextDouble();
        int[] workers = new int[2 * sizes.length + 1];
        double[] units = new double[workers.length];
        double[] values = new double[workers.length];
        for (int i = 0; i < sizes.length; i++) {
            workers[1 + 2 * i] = sizes[i];
            workers[2 + 2 * i] = sizes[i];
            units[1 + 2 * i] = 0.5 * sizes[i];
            units[2 + 2 * i] = sizes[i];
            values[1 + 2 * i] = slow * scale * Math.pow(sizes[i], exponent);
            values[2 + 2 * i] = scale * Math.pow(sizes[i], exponent);
        }
        return onClasses(workers, units, values);
    }

    private static double optimum(List<Offer> offers, int fast, int slow) {
        int all = fast + slow;
        double[][] best = new double[fast + 1][all + 1];
        for (Offer offer : offers) {
            double[][] with = new double[fast + 1][all + 1];
            for (int f = 0; f <= fast; f++) {
                Arrays.fill(with[f], Double.NEGATIVE_INFINITY);
                for (int used = 0; used <= all; used++) {
                    for (int i = 0; i < offer.workers().length; i++) {
                        int n = offer.workers()[i];
                        int nFast = offer.classes()[i] == 0 ? n : 0;
                        if (n <= used && nFast <= f) {
                            with[f][used] =
                                    Math.max(
                                            with[f][used],
                                            best[f - nFast][used - n] + offer.values()[i]);
                        }
                    }
                }
            }
            best = with;
        }
        return best[fast][all];
    }

    @Test
    void saysWhenMinimaDoNotFit() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                SlotPricing.of(
                                        List.of(new Offer(new int[] {2}, new double[] {1})), 1))
                .withMessage("jobs that must run need 2 slots, but there are 1");
    }

    /** Beside a dynamic programme, which is exact. */
    @Test
    void isCloseToOptimal() {
        double lost = 0;
        double worst = 0;
        for (int seed = 0; seed < INSTANCES; seed++) {
            Random random = new Random(seed);
            List<Offer> offers = new ArrayList<>();
            for (int j = 1 + random.nextInt(12); j > 0; j--) {
                offers.add(concave(random));
            }
            int slots = 1 + random.nextInt(40);
            int[] sizes = SlotPricing.of(offers, slots).sizes();
            double value = 0;
            int used = 0;
            for (int i = 0; i < sizes.length; i++) {
                value += offers.get(i).values()[sizes[i]];
                used += offers.get(i).workers()[sizes[i]];
            }
            assertThat(used).as("seed %d", seed).isLessThanOrEqualTo(slots);
            double share = 1 - value / optimum(offers, slots);
            lost += share / INSTANCES;
            worst = Math.max(worst, share);
        }
        assertThat(lost).isBetween(-1e-9, 0.01);
        assertThat(worst).isLessThan(0.2);
    }

    private static Offer concave(Random random) {
        int[] workers = {0, 1, 2, 4, 8, 12};
        double scale = 0.5 + random.nextDouble();
        double exponent = 0.3 + 0.6 * random.nextDouble();
        double[] values = new double[workers.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = scale * Math.pow(workers[i], exponent);
        }
        return new Offer(workers, values);
    }

    private static double optimum(List<Offer> offers, int slots) {
        double[] best = new double[slots + 1];
        for (Offer offer : offers) {
            double[] with = new double[slots + 1];
            Arrays.fill(with, Double.NEGATIVE_INFINITY);
            for (int used = 0; used <= slots; used++) {
                for (int i = 0; i < offer.workers().length && offer.workers()[i] <= used; i++) {
                    with[used] =
                            Math.max(
                                    with[used],
                                    best[used - offer.workers()[i]] + offer.values()[i]);
                }
            }
            best = with;
        }
        return best[slots];
    }
}
