package dev.levee.operators.rounds.adversary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.topology.Contraction;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Graph;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.AttackPlan;
import dev.levee.operators.rounds.training.Runs;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Ten nodes that are worker and server at once. */
class LyingServersTest {
    private static final int NODES = 10;
    private static final long RUN = 1;

    private final List<GradientBlock> sent = new ArrayList<>();

    private static Exchange exchange(int liars, String attack) {
        return new Exchange(
                Rules.parse("median"),
                1,
                1,
                Contraction.NONE,
                new Attackers(Attacks.parse(attack), liars));
    }

    private static Training ring(int liars, String attack) {
        return new TrainingBuilder(Runs.of(NODES, 0).training())
                .topology(Topology.gossip(NODES, exchange(liars, attack), Graph.parse("ring")))
                .build();
    }

    private Adversary adversary(Training training, int reader) {
        AttackPlan plan = AttackPlan.ofServers(training, reader, RUN);
        AttackParts parts = new AttackParts(new Slices(1, 1, 1), plan.attack().whole());
        return new Adversary(plan, parts, 0, Adversary.initial(plan, parts), sent::add);
    }

    private static GradientBlock model(int server, int reader, float value) {
        return new GradientBlock(
                Header.gradient(RUN, 1, NODES + server, new ShardId(reader, 0)),
                1,
                2,
                3,
                new float[] {value});
    }

    /** Node 8 hears 7 and 9, which also attack, and waits for both. */
    @Test
    void attackersAmongThemselvesSendWhatTheyHave() {
        Adversary adversary = adversary(ring(3, "fall-of-empires"), 8);
        List<GradientBlock> models = List.of(model(7, 8, 7), model(8, 8, 8), model(9, 8, 9));
        models.forEach(adversary::gradient);
        assertThat(sent).containsExactlyElementsOf(models);
    }

    /**
     * One of the three models that node 6 hears is an attacker's: cge would keep that of norm 3.
     */
    @Test
    void anAttackKnowsHowManyAttackersANodeHears() {
        Adversary adversary = adversary(ring(3, "anti-cge"), 6);
        adversary.gradient(model(7, 6, 1));
        adversary.gradient(model(5, 6, 3));
        adversary.gradient(model(6, 6, 10));
        assertThat(sent.get(2).header().sender()).isEqualTo(NODES + 7);
        assertThat(sent.get(2).values()).containsExactly(-10 * (1 - 1f / 1024));
    }

    /** Model k is node k's. The attackers cancel the pull on node 0, whatever comes first. */
    @Test
    void anExchangeWithAQuorumIsAttackedAroundTheReadersModel() {
        Exchange exchange = exchange(2, "dissensus").closingWith(8);
        Training training =
                new TrainingBuilder(Runs.of(NODES, 0).training())
                        .topology(Topology.decentralised(NODES, exchange))
                        .build();
        Adversary adversary = adversary(training, 0);
        adversary.gradient(model(9, 0, 9));
        for (int server = 1; server < 8; server++) {
            adversary.gradient(model(server, 0, server));
        }
        assertThat(sent).hasSize(7);
        adversary.gradient(model(0, 0, 0));
        // 0 − (1 + … + 5)/2
        assertThat(sent.get(8).values()).containsExactly(-7.5f);
    }

    @Test
    void aRowThatAllServersSendIsForgedOnce() {
        Training training =
                new TrainingBuilder(Runs.of(3, 0).training())
                        .topology(Topology.replicas(5, exchange(2, "fall-of-empires(1)")))
                        .build();
        float[][] models = {{1}, {2}, {6}, {7}, {8}};
        float[][] told = new ServerLies(training, new Slices(1, 1, 1)).told(models, 0);
        assertThat(told).isDeepEqualTo(new float[][] {{1}, {2}, {6}, {-3}, {-3}});
        assertThat(told[4]).isSameAs(told[3]);
    }

    @Test
    void anAttackThatSeesHonestRowsNeedsAnHonestParticipant() {
        assertThatThrownBy(() -> ring(NODES, "fall-of-empires"))
                .hasMessage(
                        "serverAttack: fall-of-empires(epsilon=0.1) needs what an honest participant"
                                + " sends, but all 10 attack");
        assertThatThrownBy(() -> Runs.of(5, 1).attack(5, "fall-of-empires").training())
                .hasMessage(
                        "attack: fall-of-empires(epsilon=0.1) needs what an honest participant"
                                + " sends, but all 5 attack");
        assertThat(Runs.of(5, 1).attack(5, "reversed").training().attackers().count()).isEqualTo(5);
    }

    @Test
    void anAttackThatForgesRowsLimitsTheStalenessBound() {
        assertThat(stale(100, "reversed").admission().staleness()).isEqualTo(100);
        assertThatThrownBy(() -> stale(Integer.MAX_VALUE, "reversed"))
                .hasMessage(
                        "attack: reversed(c=100) keeps the rows of each version that may be answered, so"
                                + " the staleness bound must be at most 100, got 2147483647");
        assertThat(Runs.of(5, 0).quorum(1).staleness(101).training().admission().staleness())
                .isEqualTo(101);
    }

    private static Training stale(int bound, String attack) {
        return Runs.of(5, 0).quorum(1).staleness(bound).attack(1, attack).training();
    }
}
