package dev.levee.operators.rounds.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

class SumRoutesTest {
    private static double[] alike(int hosts) {
        double[] links = new double[hosts];
        Arrays.fill(links, 1);
        return links;
    }

    /** Nine in a row take 9 s. Two receive four and three others, and send at 4 and 5 s at most. */
    @Test
    void nineHostsReachTheServerOverTwo() {
        SumRoutes routes = SumRoutes.plan(alike(9), 1, 9);
        assertThat(routes.seconds()).isCloseTo(5, within(1e-9));
        assertThat(routes.to()).containsExactly(0, 1, 0, 1, 0, 1, 0, 1, 0);
        assertThat(SumRoutes.seconds(alike(9), 1, new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8}))
                .isEqualTo(9);
    }

    @Test
    void allSendDirectlyWhereTheServersLinkIsNoBottleneck() {
        for (int fanIn = 1; fanIn <= 4; fanIn++) {
            SumRoutes routes = SumRoutes.plan(alike(4), 0.1, fanIn);
            assertThat(routes.to()).containsExactly(0, 1, 2, 3);
            assertThat(routes.seconds()).isCloseTo(1, within(1e-9));
        }
    }

    /** One host that receives two sums and sends one takes as long as three that send one each. */
    @Test
    void ofEquallyFastWaysTheOneThatSendsTheServerLessIsTaken() {
        assertThat(SumRoutes.plan(alike(3), 1, 1).to()).containsExactly(0, 0, 0);
    }

    /** The slow ones take 10 s whatever they do. Sixteen others take 5 s to three and 3 s on. */
    @Test
    void slowHostsSendToTheServerBesideThoseThatAddUp() {
        double[] links = alike(20);
        links[3] = 10;
        links[4] = 10;
        SumRoutes routes = SumRoutes.plan(links, 1, 5);
        assertThat(SumRoutes.seconds(links, 1, routes.to())).isEqualTo(10);
        assertThat(routes.to()[3]).isEqualTo(3);
        assertThat(routes.to()[4]).isEqualTo(4);
        assertThat(Arrays.stream(routes.to()).distinct().count()).isLessThanOrEqualTo(5);
    }

    /** A tree would be no faster, and slower where a host that adds up becomes slow. */
    @Test
    void nobodyAddsUpWhereTheSlowestHostAloneTakesAsLong() {
        SumRoutes routes = SumRoutes.plan(new double[] {10, 1, 1, 1, 1}, 1, 2);
        assertThat(routes.to()).containsExactly(0, 1, 2, 3, 4);
        assertThat(routes.seconds()).isCloseTo(10, within(1e-9));
    }
}
