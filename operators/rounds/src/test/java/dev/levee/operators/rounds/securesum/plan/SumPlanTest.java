package dev.levee.operators.rounds.securesum.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.stream.Stream;

class SumPlanTest {
    private static final double SECURITY = Math.scalb(1.0, -40);
    private static final double CORRECTNESS = Math.scalb(1.0, -30);

    /**
     * Three of ten, four of them marked: C(4,2)·6 + C(4,3) = 40 of C(10,3) = 120 have two or more.
     */
    @Test
    void aTailByHand() {
        Hypergeometric ten = new Hypergeometric(10);
        assertThat(ten.tail(4, 3, 2)).isCloseTo(1 / 3.0, within(1e-12));
        assertThat(ten.tail(4, 3, 3)).isCloseTo(4 / 120.0, within(1e-12));
        assertThat(ten.tail(4, 3, 4)).isZero();
        assertThat(ten.tail(4, 3, 0)).isCloseTo(1, within(1e-12));
        assertThat(ten.tail(9, 3, 2)).isCloseTo(1, within(1e-12));
        assertThat(ten.least(4, 3, 0.04)).isEqualTo(3);
        assertThat(ten.least(4, 3, 0.03)).isEqualTo(4);
        assertThat(ten.least(4, 3, 0.34)).isEqualTo(2);
    }

    private static BigInteger choose(int n, int k) {
        BigInteger product = BigInteger.ONE;
        for (int i = 0; i < k; i++) {
            product =
                    product.multiply(BigInteger.valueOf((long) n - i))
                            .divide(BigInteger.valueOf(i + 1L));
        }
        return k < 0 || k > n ? BigInteger.ZERO : product;
    }

    /** With exact integers. */
    private static double tail(int population, int marked, int draws, int atLeast) {
        BigInteger ways = BigInteger.ZERO;
        for (int i = Math.max(0, atLeast); i <= Math.min(marked, draws); i++) {
            ways = ways.add(choose(marked, i).multiply(choose(population - marked, draws - i)));
        }
        return new BigDecimal(ways)
                .divide(new BigDecimal(choose(population, draws)), MathContext.DECIMAL64)
                .doubleValue();
    }

    private static boolean correct(SumPlan plan, int degree, int threshold) {
        double lost =
                plan.devices()
                        * tail(plan.devices() - 1, plan.leaving(), degree, degree - threshold + 1);
        return lost <= CORRECTNESS;
    }

    private static boolean secure(SumPlan plan, Trust trust, int degree, int threshold) {
        int enough = trust == Trust.HONEST ? threshold : 2 * threshold - degree;
        double told = plan.devices() * tail(plan.devices() - 1, plan.colluding(), degree, enough);
        double apart =
                choose(plan.devices(), 2).doubleValue()
                        * tail(plan.devices(), plan.leaving() + plan.colluding(), degree, degree);
        return told + apart <= SECURITY;
    }

    /** With two neighbors less, the greatest threshold that is correct is not secure. */
    @Test
    void theLeastDegreeThatHoldsByExactNumbers() {
        Stream.of(
                        "dropout=0.2,collude=0.1",
                        "dropout=0.05,collude=0.05",
                        "dropout=0.1,collude=0.05,server=active")
                .map(SumRates::parse)
                .forEach(
                        rates -> {
                            SumPlan plan = rates.plan(1000);
                            int degree = plan.degree();
                            assertThat(correct(plan, degree, plan.threshold())).isTrue();
                            assertThat(secure(plan, rates.server(), degree, plan.threshold()))
                                    .isTrue();
                            assertThat(correct(plan, degree, plan.threshold() + 1)).isFalse();
                            int threshold = degree - 2;
                            while (!correct(plan, degree - 2, threshold)) {
                                threshold--;
                            }
                            assertThat(secure(plan, rates.server(), degree - 2, threshold))
                                    .as("%s", plan)
                                    .isFalse();
                        });
    }

    @Test
    void theNumbersOfAThousandDevices() {
        SumPlan plan = SumRates.parse("dropout=0.2,collude=0.1").plan(1000);
        assertThat(plan.toString())
                .isEqualTo(
                        "1000 devices, of which 200 may leave and 100 collude: 74 neighbors each,"
                                + " 33 of which make up a secret; P(unmasked) ≤ 2^-41, P(lost) ≤"
                                + " 2^-31");
        assertThat(plan.fewest()).isEqualTo(800);
        SumPlan active = SumRates.parse("dropout=0.2,collude=0.1,server=active").plan(1000);
        assertThat(active.degree()).isEqualTo(226);
        assertThat(active.threshold()).isEqualTo(142);
    }

    /** Eight neighbors, of which three may leave and three collude. */
    @Test
    void withFewDevicesNothingIsLeftToChance() {
        SumPlan plan = SumRates.parse("dropout=0.3,collude=0.3").plan(10);
        assertThat(plan.leaving()).isEqualTo(3);
        assertThat(plan.colluding()).isEqualTo(3);
        assertThat(plan.unmasked()).isZero();
        assertThat(plan.lost()).isZero();
        assertThat(plan.degree()).isEqualTo(8);
        assertThat(plan.threshold()).isEqualTo(5);
    }

    /**
     * Whatever an active server says to whom, it gets too few shares of one of the two secrets:
     * each honest neighbor tells one, and those that collude both.
     */
    @Test
    void againstAnActiveServerTwoGroupsOfNeighborsCannotBothReachTheThreshold() {
        for (int devices = 5; devices < 60; devices += 3) {
            SumPlan plan = SumRates.parse("dropout=0.1,collude=0.1,server=active").plan(devices);
            int colluding = Math.min(plan.colluding(), plan.degree());
            int honest = plan.degree() - colluding;
            for (int first = 0; first <= honest; first++) {
                assertThat(
                                colluding + first >= plan.threshold()
                                        && colluding + honest - first >= plan.threshold())
                        .as("%s", plan)
                        .isFalse();
            }
        }
    }

    /** Whoever leaves before it has announced keys is one less that may leave after it. */
    @Test
    void whoHasLeftAlreadyDoesNotLeaveAgain() {
        SumRates rates = SumRates.parse("dropout=0.2,collude=0.1");
        assertThat(rates.plan(100, 85).leaving()).isEqualTo(5);
        assertThat(rates.plan(100, 80).fewest()).isEqualTo(80);
        assertThatThrownBy(() -> rates.plan(100, 79))
                .hasMessage(
                        "79 of 100 devices are present, but dropout=0.2,collude=0.1,server=honest"
                                + " needs 80");
    }

    @Test
    void ratesThatMakeNoSenseAreRefusedInOneSentence() {
        refused("dropout", "expected rates such as dropout=0.2,collude=0.1, got dropout");
        refused("", "expected rates such as dropout=0.2,collude=0.1, got ");
        refused("leave=1", "expected rates such as dropout=0.2,collude=0.1, got leave=1");
        refused("dropout=x", "expected rates such as dropout=0.2,collude=0.1, got dropout=x");
        refused(
                "dropout=0.1,dropout=0.2",
                "expected rates such as dropout=0.2,collude=0.1, got dropout=0.1,dropout=0.2");
        refused("dropout=1", "dropout must be at least 0 and below 1, got 1.0");
        refused("collude=NaN", "collude must be at least 0 and below 1, got NaN");
        refused("server=kind", "server must be honest or active, got kind");
        assertThat(SumRates.parse("collude=0.1, dropout=0.2"))
                .isEqualTo(new SumRates(0.2, 0.1, Trust.HONEST));
        assertThat(SumRates.parse("dropout=0.1,server=active").toString())
                .isEqualTo("dropout=0.1,collude=0.0,server=active");
        assertThatThrownBy(() -> SumRates.parse("dropout=0.5,collude=0.4").plan(10))
                .hasMessage(
                        "dropout=0.5,collude=0.4,server=honest leaves 5 of 10 devices, 4 of which"
                                + " may collude: a secure sum needs 3 that stay, and 2 of them honest");
        assertThatThrownBy(() -> SumRates.parse("dropout=0.4,collude=0.4,server=active").plan(50))
                .hasMessageStartingWith(
                        "dropout=0.4,collude=0.4,server=active is too high for 50 devices: ");
        assertThatThrownBy(() -> SumRates.parse("dropout=0").plan(2))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static void refused(String text, String why) {
        assertThatThrownBy(() -> SumRates.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(why);
    }
}
