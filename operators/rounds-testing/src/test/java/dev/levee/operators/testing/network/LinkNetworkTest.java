package dev.levee.operators.testing.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class LinkNetworkTest {
    private static final int SERVER = 3;

    /** Ends of transfers, as "what at second". */
    private static List<String> ends(LinkNetwork network) {
        List<String> ends = new ArrayList<>();
        double now = 0;
        while (network.next() < Double.POSITIVE_INFINITY) {
            double step = network.next();
            now += step;
            for (Object what : network.pass(step)) {
                ends.add(what + " at " + Math.round(1000 * now) / 1000.0);
            }
        }
        return ends;
    }

    /** Three at once have a third each until 3, two a half each until 5, and the last all. */
    @Test
    void transfersToOneHostShareItsLink() {
        LinkNetwork network = new LinkNetwork(4, 1e6);
        network.start("four", 0, SERVER, 4e6);
        network.start("one", 1, SERVER, 1e6);
        network.start("two", 2, SERVER, 2e6);
        assertThat(ends(network)).containsExactly("one at 3.0", "two at 5.0", "four at 7.0");
    }

    @Test
    void aSlowHostLeavesTheRestToOthers() {
        LinkNetwork network = new LinkNetwork(4, 1e6);
        network.rate(0, 1e5);
        network.start("slow", 0, SERVER, 1e6);
        network.start("fast", 1, SERVER, 9e5);
        assertThat(network.next()).isCloseTo(1, within(1e-9));
        assertThat(ends(network)).containsExactly("fast at 1.0", "slow at 10.0");
    }
}
