package dev.levee.operators.rounds.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Rules;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.Moment.Stage;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class TopologyTest {
    private static Topology exchanging(int every, Contraction contraction) {
        return Topology.decentralised(
                4, new Exchange(Rules.parse("median"), 1, every, contraction, Attackers.NONE));
    }

    private static String stages(Topology topology, long iterations) {
        StringBuilder stages = new StringBuilder();
        for (long version = 0; version <= topology.version(iterations, iterations); version++) {
            Moment moment = topology.moment(version, iterations);
            stages.append(
                            switch (moment.stage()) {
                                case GRADIENTS -> " g";
                                case AGGREGATES -> "a";
                                case MODELS -> "m";
                            })
                    .append(moment.iteration());
        }
        return stages.toString().trim();
    }

    @Test
    void aloneEachVersionOpensAnIteration() {
        assertThat(stages(Topology.ONE, 3)).isEqualTo("g0 g1 g2 g3");
        assertThat(stages(new Topology(3), 2)).isEqualTo("g0 g1 g2");
    }

    @Test
    void modelsAreExchangedAfterEachStep() {
        assertThat(stages(exchanging(1, Contraction.NONE), 3)).isEqualTo("g0m0 g1m1 g2m2 g3");
    }

    /** Every second iteration, and at the end whenever that is. */
    @Test
    void modelsAreExchangedNowAndThen() {
        assertThat(stages(exchanging(2, Contraction.NONE), 4)).isEqualTo("g0 g1m1 g2 g3m3 g4");
        assertThat(stages(exchanging(2, Contraction.NONE), 3)).isEqualTo("g0 g1m1 g2m2 g3");
        assertThat(stages(exchanging(9, Contraction.NONE), 2)).isEqualTo("g0 g1m1 g2");
    }

    @Test
    void aggregatesAreContractedBeforeTheStep() {
        assertThat(stages(exchanging(1, new Contraction(2)), 2)).isEqualTo("g0a0a0m0 g1a1a1m1 g2");
    }

    /** ⌈log₂(t + 1)⌉ is 0, 1, 2, 2, 3 for t = 0 to 4. */
    @Test
    void contractionGrowsWithTheLogarithm() {
        assertThat(stages(exchanging(1, Contraction.LOGARITHMIC), 5))
                .isEqualTo("g0m0 g1a1m1 g2a2a2m2 g3a3a3m3 g4a4a4a4m4 g5");
    }

    @Test
    void versionAndMomentAreInverse() {
        for (int every = 1; every < 5; every++) {
            for (int steps = -1; steps < 4; steps++) {
                Topology topology = exchanging(every, new Contraction(steps));
                for (long iterations = 0; iterations < 70; iterations += 23) {
                    check(topology, iterations);
                }
            }
        }
    }

    private static void check(Topology topology, long iterations) {
        List<Long> opening = new ArrayList<>();
        long end = topology.version(iterations, iterations);
        for (long version = 0; version <= end; version++) {
            Moment moment = topology.moment(version, iterations);
            if (moment.stage() == Stage.GRADIENTS) {
                assertThat(moment.step()).isZero();
                assertThat(topology.version(moment.iteration(), iterations)).isEqualTo(version);
                opening.add(version);
            }
        }
        assertThat(opening).hasSize((int) iterations + 1).endsWith(end);
        for (int i = 1; i < opening.size(); i++) {
            assertThat(opening.get(i) - opening.get(i - 1))
                    .isLessThanOrEqualTo(topology.gradientsAhead(iterations));
        }
    }

    @Test
    void whoReadsAndWhoIsTold() {
        Exchange exchange = new Exchange(Rules.parse("median"), 1);
        assertThat(ReadingGroup.of(new Topology(2))).hasSize(2);
        assertThat(ReadingGroup.of(Topology.replicas(3, exchange)))
                .singleElement()
                .satisfies(
                        group -> {
                            assertThat(group.read()).containsExactly(0, 1, 2);
                            assertThat(group.told()).containsExactly(0, 1, 2);
                            assertThat(group.only()).isNegative();
                        });
        List<ReadingGroup> nodes = ReadingGroup.of(Topology.decentralised(3, exchange));
        assertThat(nodes).hasSize(3);
        assertThat(nodes.get(1).read()).containsExactly(1);
        assertThat(nodes.get(1).told()).containsExactly(0, 1, 2);
        assertThat(nodes.get(1).only()).isEqualTo(1);
    }
}
