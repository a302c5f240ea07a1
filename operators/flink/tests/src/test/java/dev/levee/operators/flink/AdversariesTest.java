package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Attacks;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.training.AttackPlan;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The adversary of docs/how-to/flink.md, in a job that has no other part of Levee. */
@Tag("cluster")
class AdversariesTest {
    private static final int WORKERS = 3;
    private static final long ROUNDS = 2;

    /** Two blocks of one coordinate. */
    private static final Slices SLICES = new Slices(2, 2, 1);

    private static GradientBlock gradient(long round, int worker, int block) {
        float value = 100 * round + 10 * block + worker;
        Header header = Header.gradient(1, round, worker, new ShardId(0, block));
        return new GradientBlock(header, 0, 0, 0, new float[] {value});
    }

    private static Map<String, Float> attacked(String attack, int attackers) throws Exception {
        List<GradientBlock> sent = new ArrayList<>();
        for (long round = 0; round < ROUNDS; round++) {
            // The attacker is the first to send, and yet sees the others first.
            for (int worker = WORKERS - 1; worker >= 0; worker--) {
                for (int block = 0; block < SLICES.count(); block++) {
                    sent.add(gradient(round, worker, block));
                }
            }
        }
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(1);
        AttackPlan plan = new AttackPlan(Attacks.parse(attack), WORKERS, attackers, WORKERS, 1);
        Map<String, Float> values = new TreeMap<>();
        try (CloseableIterator<GradientBlock> left =
                Adversaries.attack(environment.fromData(sent, Adversaries.GRADIENTS), plan, SLICES)
                        .executeAndCollect()) {
            left.forEachRemaining(
                    each -> {
                        Header header = each.header();
                        String at = header.round() + "/" + header.sender() + "/" + header.block();
                        assertThat(values.put(at, each.values()[0])).as(at).isNull();
                    });
        }
        return values;
    }

    @Test
    void attackersSendWhatTheirAttackMakesOfTheOthers() throws Exception {
        // Minus twice the mean of the honest rows, block by block.
        assertThat(attacked("fall-of-empires(epsilon=2)", 1))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.ofEntries(
                                Map.entry("0/0/0", 0f),
                                Map.entry("0/1/0", 1f),
                                Map.entry("0/2/0", -1f),
                                Map.entry("0/0/1", 10f),
                                Map.entry("0/1/1", 11f),
                                Map.entry("0/2/1", -21f),
                                Map.entry("1/0/0", 100f),
                                Map.entry("1/1/0", 101f),
                                Map.entry("1/2/0", -201f),
                                Map.entry("1/0/1", 110f),
                                Map.entry("1/1/1", 111f),
                                Map.entry("1/2/1", -221f)));
    }

    @Test
    void withoutAttackersNothingChanges() throws Exception {
        assertThat(attacked("fall-of-empires(epsilon=2)", 0))
                .hasSize(WORKERS * SLICES.count() * (int) ROUNDS)
                .containsEntry("1/2/1", 112f);
    }
}
