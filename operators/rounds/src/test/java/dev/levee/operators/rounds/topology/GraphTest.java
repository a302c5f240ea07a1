package dev.levee.operators.rounds.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.operators.rounds.fault.WrongTrainingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

class GraphTest {
    private static int[][] heard(String graph, int nodes) {
        return Graph.parse(graph).heard(nodes, 7, 3);
    }

    @Test
    void aRingAStarAndATorus() {
        assertThat(heard("ring", 5))
                .isDeepEqualTo(new int[][] {{0, 1, 4}, {0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {0, 3, 4}});
        assertThat(heard("star", 4))
                .isDeepEqualTo(new int[][] {{0, 1, 2, 3}, {0, 1}, {0, 2}, {0, 3}});
        // Three rows of three, closed on both sides.
        assertThat(heard("torus", 9)[4]).containsExactly(1, 3, 4, 5, 7);
        assertThat(heard("torus", 9)[0]).containsExactly(0, 1, 2, 3, 6);
        assertThat(heard("complete", 3))
                .isDeepEqualTo(new int[][] {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}});
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "random-regular(2)",
                "random-regular(3)",
                "random-regular(4)",
                "random-regular(9)"
            })
    void regularGraphsHaveAsManyNeighboursEverywhere(String name) {
        int degree = (int) Graph.parse(name).parameter();
        for (int nodes = Math.max(6, 2 * (degree / 2 + 1)); nodes < 40; nodes += 2) {
            int[][] heard = heard(name, nodes);
            assertThat(Arrays.asList(heard))
                    .allSatisfy(each -> assertThat(each).hasSize(degree + 1));
            symmetric(heard);
            assertThat(heard).isDeepEqualTo(heard(name, nodes));
        }
    }

    @Test
    void peersArePulledAlongTheEdgesAnewInEachExchange() {
        Graph whole = Graph.parse("random-regular(6)");
        Graph graph = whole.pulling("pull(2)");
        assertThat(graph.name()).isEqualTo("random-regular(6) pull(2)");
        int nodes = 20;
        int[][] neighbours = whole.heard(nodes, 7, 0);
        List<TreeSet<Integer>> ever =
                IntStream.range(0, nodes).mapToObj(node -> new TreeSet<Integer>()).toList();
        for (long round = 0; round < 40; round++) {
            int[][] heard = graph.heard(nodes, 7, round);
            for (int node = 0; node < nodes; node++) {
                assertThat(heard[node]).hasSize(3).contains(node).isSorted();
                assertThat(neighbours[node]).contains(heard[node]);
                Arrays.stream(heard[node]).forEach(ever.get(node)::add);
            }
        }
        for (int node = 0; node < nodes; node++) {
            assertThat(ever.get(node)).containsExactlyElementsOf(boxed(neighbours[node]));
        }
        assertThat(graph.heard(nodes, 7, 3)).isDeepEqualTo(graph.heard(nodes, 7, 3));
        assertThat(graph.weight(nodes, 7, 0, 1)).isEqualTo(1);
    }

    private static List<Integer> boxed(int[] values) {
        return Arrays.stream(values).boxed().toList();
    }

    @Test
    void whoHasFewNeighboursPullsThemAll() {
        int[][] heard = Graph.parse("star").pulling("pull(3)").heard(6, 7, 5);
        assertThat(heard[0]).hasSize(4);
        assertThat(heard[5]).containsExactly(0, 5);
    }

    @Test
    void pullsThatMakeNoSenseAreRefused() {
        Graph ring = Graph.parse("ring");
        assertThat(ring.pulling("all")).isEqualTo(ring);
        assertThatThrownBy(() -> ring.pulling("pull(2)").check(9, 7))
                .hasMessage(
                        "peers pull(2) needs a graph with a node that has more than 2 neighbors,"
                                + " and ring of 9 nodes has none with more than 2");
        assertThatThrownBy(() -> ring.pulling("pull(0)"))
                .hasMessage("peers are all, or pull(s) with s of at least 1, got pull(0)");
        assertThatThrownBy(() -> Graph.parse("pull(3)").pulling("pull(2)"))
                .hasMessage(
                        "graph pull(3) draws peers itself, so leave peers out, or name the graph"
                                + " along which they are pulled");
    }

    /** A leaf of a star of four has 1/(1 + 3) for the centre and the rest for itself. */
    @Test
    void metropolisWeights() {
        Graph star = Graph.parse("star");
        assertThat(star.weight(4, 7, 1, 0)).isEqualTo(2 * 0.25);
        assertThat(star.weight(4, 7, 1, 1)).isEqualTo(2 * 0.75);
        assertThat(star.weight(4, 7, 0, 1)).isEqualTo(4 * 0.25);
        assertThat(star.weight(4, 7, 0, 0)).isEqualTo(4 * 0.25);
        assertThat(Graph.parse("pull(2)").weight(9, 7, 3, 3)).isEqualTo(1);
    }

    /** What a node says counts as much in all as what it hears: one. */
    @ParameterizedTest
    @ValueSource(strings = {"star", "erdos-renyi(0.4)", "ring", "torus", "random-regular(3)"})
    void mixingKeepsTheMean(String name) {
        Graph graph = Graph.parse(name);
        int nodes = 12;
        int[][] heard = graph.heard(nodes, 7, 0);
        double[] said = new double[nodes];
        for (int node = 0; node < nodes; node++) {
            double sum = 0;
            for (int other : heard[node]) {
                double weight = graph.weight(nodes, 7, node, other) / heard[node].length;
                assertThat(weight).isPositive();
                said[other] += weight;
                sum += weight;
            }
            assertThat(sum).isCloseTo(1, within(1e-12));
        }
        assertThat(said)
                .containsExactly(
                        DoubleStream.generate(() -> 1).limit(nodes).toArray(), within(1e-12));
    }

    private static void symmetric(int[][] heard) {
        for (int node = 0; node < heard.length; node++) {
            for (int other : heard[node]) {
                assertThat(heard[other]).contains(node);
            }
        }
    }

    /** 30 nodes have 435 pairs; 0.3 of them are 130, give or take four deviations of 9.6. */
    @Test
    void randomEdgesAreAsManyAsTheProbabilitySays() {
        int[][] heard = heard("erdos-renyi(0.3)", 30);
        symmetric(heard);
        int edges = (Arrays.stream(heard).mapToInt(each -> each.length).sum() - 30) / 2;
        assertThat(edges).isBetween(92, 169);
    }

    @Test
    void peersArePulledAnewInEachRound() {
        Graph graph = Graph.parse("pull(3)");
        int[][] first = graph.heard(20, 7, 1);
        assertThat(Arrays.asList(first)).allSatisfy(each -> assertThat(each).hasSize(4));
        assertThat(Arrays.deepEquals(first, graph.heard(20, 7, 2))).isFalse();
        assertThat(first).isDeepEqualTo(graph.heard(20, 7, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring(3)", "random-regular", "circle", "pull(0)", "erdos-renyi(2)"})
    void whatIsNoGraphIsRefused(String name) {
        assertThatThrownBy(() -> Graph.parse(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aGraphThatFallsApartIsRefused() {
        assertThatThrownBy(() -> Graph.parse("erdos-renyi(0.01)").check(30, 1))
                .isInstanceOf(WrongTrainingException.class)
                .hasMessageContaining("is not connected");
        assertThatThrownBy(() -> Graph.parse("random-regular(3)").check(7, 1))
                .hasMessageContaining("an even number of them");
        assertThatThrownBy(() -> Graph.parse("pull(5)").check(5, 1))
                .hasMessageContaining("needs more than 5 nodes");
    }

    @Test
    void namesReadBack() {
        for (String name : new String[] {"ring", "random-regular(4)", "erdos-renyi(0.25)"}) {
            assertThat(Graph.parse(name).name()).isEqualTo(name);
        }
    }
}
