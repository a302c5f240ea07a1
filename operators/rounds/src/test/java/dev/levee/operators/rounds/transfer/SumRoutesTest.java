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
        assertThat(routes.seconds()).isEqualTo(5);
        assertThat(routes.to()).containsExactly(0, 1, 0, 1, 0, 1, 0, 1, 0);
        assertThat(SumRoutes.seconds(alike(9), 1, new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8}))
                .isEqualTo(9);
    }

    @Test
    void allSendDirectlyWhereTheServersLinkIsNoBottleneck() {
        SumRoutes routes = SumRoutes.plan(alike(4), 0.1, 4);
        assertThat(routes.to()).containsExactly(0, 1, 2, 3);
        assertThat(routes.seconds()).isCloseTo(1.3, within(1e-9));
    }

    @Test
    void noMoreThanTheFanInSendToTheServer() {
        SumRoutes routes = SumRoutes.plan(alike(4), 0.1, 2);
        assertThat(routes.to()).containsExactly(0, 1, 0, 1);
        // One each has come after a second, then they send at once, to a link that is fast enough.
        assertThat(routes.seconds()).isEqualTo(2.1);
    }

    @Test
    void theHostsWithTheFastestLinksAddUp() {
        SumRoutes routes = SumRoutes.plan(new double[] {10, 1, 1, 1, 1}, 1, 2);
        assertThat(routes.to()).containsExactly(1, 1, 1, 1, 1);
        assertThat(routes.seconds()).isEqualTo(11);
    }
}
