package dev.levee.operators.rounds.securesum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.operators.rounds.securesum.SumMessage.Keys;
import dev.levee.operators.rounds.securesum.SumMessage.Reveal;
import dev.levee.operators.rounds.securesum.SumMessage.Roster;
import dev.levee.operators.rounds.securesum.SumMessage.Shares;
import dev.levee.operators.rounds.securesum.plan.SumRates;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A server of five devices, of which one may leave. */
class SumServerTest {
    private static final SumTask TASK = new SumTask(1, 7, 5, SumRates.parse("dropout=0.2"));

    private final SumServer server = new SumServer(TASK, new TreeSet<>(Set.of(0, 1, 2, 3, 4)));

    private static SumDevice device(int id) {
        return new SumDevice(TASK, id, new byte[32]);
    }

    private static String why(SumServer server) {
        return ((SumOutcome.Refused) server.outcome().orElseThrow()).why();
    }

    @Test
    void strangersAndRepetitionsChangeNothing() {
        assertThat(server.accept(device(0).keys())).isTrue();
        assertThat(server.accept(device(0).keys())).isFalse();
        assertThat(server.accept(device(5).keys())).isFalse();
        assertThat(server.accept(new Reveal(0, List.of(), List.of()))).isFalse();
        assertThat(server.added(0)).isFalse();
        assertThat(server.faults()).isEmpty();
        assertThat(server.heard()).hasSize(1);
        assertThat(server.complete()).isFalse();
    }

    @Test
    void keysThatHideNothingAreAFault() {
        byte[] key = device(1).keys().maskKey();
        assertThat(server.accept(new Keys(1, key, new byte[32]))).isFalse();
        assertThat(server.accept(new Keys(2, new byte[3], key))).isFalse();
        assertThat(server.faults().keySet()).isEqualTo(Set.of(1, 2));
        assertThat(server.faults().get(1)).isEqualTo("announced a key that is not secure");
    }

    @Test
    void withTooFewThereIsNoSum() {
        server.accept(device(0).keys());
        assertThat(server.endStep()).isEmpty();
        assertThat(why(server)).isEqualTo("1 of 5 devices announced keys, and the sum needs 4");
        assertThat(server.complete()).isTrue();
        assertThat(server.accept(device(1).keys())).isFalse();
    }

    @Test
    void whoDoesNotShareWithItsNeighborsIsNotInTheSum() {
        for (int i = 0; i < 5; i++) {
            server.accept(device(i).keys());
        }
        Roster roster = (Roster) server.endStep().get(0);
        Shares all = device(0).share(roster);
        assertThat(
                        server.accept(
                                new Shares(
                                        0,
                                        all.roster(),
                                        all.seedDigest(),
                                        all.shares().subList(1, all.shares().size()))))
                .isFalse();
        assertThat(server.faults().get(0))
                .isEqualTo("has not shared its secrets with its neighbors");
        for (int i = 1; i < 4; i++) {
            server.accept(device(i).share(roster));
        }
        assertThat(server.endStep()).isEmpty();
        assertThat(why(server))
                .isEqualTo("3 of 5 devices shared their secrets, and the sum needs 4");
    }

    /** As one does that has started again and no longer knows whom it had told of. */
    @Test
    void sharesForAnotherRosterDoNotCountAndAreNoFault() {
        for (int i = 0; i < 4; i++) {
            server.accept(device(i).keys());
        }
        Roster before = (Roster) server.endStep().get(0);
        SumServer again = new SumServer(TASK, new TreeSet<>(Set.of(0, 1, 2, 3, 4)));
        for (int i = 0; i < 5; i++) {
            again.accept(device(i).keys());
        }
        Roster after = (Roster) again.endStep().get(0);
        SumDevice first = device(0);
        Shares old = first.share(before);
        assertThat(again.accept(old)).isFalse();
        assertThatThrownBy(() -> first.share(after)).isInstanceOf(IllegalArgumentException.class);
        assertThat(again.faults()).isEmpty();
        assertThat(again.complete()).isFalse();
        again.accept(new SumMessage.Left(0));
        for (int i = 1; i < 5; i++) {
            assertThat(again.accept(device(i).share(after))).isTrue();
        }
        assertThat(again.complete()).isTrue();
    }

    @Test
    void aSumOfOthersThanAskedIsRefused() {
        assertThatThrownBy(() -> new SumServer(TASK, new TreeSet<>(Set.of(0, 1))))
                .hasMessage("a sum of 5 devices");
    }

    @Test
    void rowsGrowNothing() {
        MaskedSum sum = new MaskedSum(2);
        sum.add(new int[] {Integer.MAX_VALUE, 1});
        sum.add(new int[] {1, -3});
        assertThat(sum.values()).containsExactly(Integer.MIN_VALUE, -2);
        assertThatThrownBy(() -> sum.add(new int[3]))
                .hasMessage("a row of 3 values for a sum of 2");
    }
}
