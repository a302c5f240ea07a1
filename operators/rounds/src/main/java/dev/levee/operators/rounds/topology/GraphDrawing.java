package dev.levee.operators.rounds.topology;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.gar.Draws;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** Generates the edges of a {@link Graph}. */
final class GraphDrawing {
    private static final long STREAM = 0x6A09E667F3BCC909L;

    /** Number of attempts to switch ends, for each end of an edge. */
    private static final int SWITCHES = 10;

    private GraphDrawing() {}

    /** The nodes that each node hears, itself included. */
    static TreeSet<Integer>[] of(Graph graph, int nodes, long seed, long round) {
        SplittableRandom random =
                new SplittableRandom(
                        Draws.key(seed, graph.kind() == Graph.Kind.PULL ? round : -1, STREAM));
        TreeSet<Integer>[] heard = alone(nodes);
        switch (graph.kind()) {
            case COMPLETE -> pairs(nodes, heard, 1, random);
            case ERDOS_RENYI -> pairs(nodes, heard, graph.parameter(), random);
            case RING -> ring(heard, identity(nodes));
            case TORUS -> torus(heard);
            case STAR -> {
                for (int node = 1; node < nodes; node++) {
                    connect(heard, 0, node);
                }
            }
            case RANDOM_REGULAR -> heard = regular(graph, nodes, random);
            case PULL -> pull(graph, heard, random);
        }
        return heard;
    }

    /** Number of nodes that a message of node 0 can reach, itself included. */
    static int reached(TreeSet<Integer>[] heard) {
        BitSet reached = new BitSet();
        ArrayDeque<Integer> open = new ArrayDeque<>();
        open.add(0);
        while (!open.isEmpty()) {
            int node = open.poll();
            if (!reached.get(node)) {
                reached.set(node);
                open.addAll(heard[node]);
            }
        }
        return reached.cardinality();
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static TreeSet<Integer>[] alone(int nodes) {
        TreeSet<Integer>[] heard = new TreeSet[nodes];
        Arrays.setAll(heard, node -> new TreeSet<>(List.of(node)));
        return heard;
    }

    private static void connect(TreeSet<Integer>[] heard, int a, int b) {
        heard[a].add(b);
        heard[b].add(a);
    }

    private static int[] identity(int nodes) {
        int[] order = new int[nodes];
        Arrays.setAll(order, i -> i);
        return order;
    }

    private static void pairs(
            int nodes, TreeSet<Integer>[] heard, double probability, SplittableRandom random) {
        for (int a = 0; a < nodes; a++) {
            for (int b = a + 1; b < nodes; b++) {
                if (probability == 1 || random.nextDouble() < probability) {
                    connect(heard, a, b);
                }
            }
        }
    }

    private static void ring(TreeSet<Integer>[] heard, int[] order) {
        for (int i = 0; i < order.length; i++) {
            connect(heard, order[i], order[(i + 1) % order.length]);
        }
    }

    private static void torus(TreeSet<Integer>[] heard) {
        int nodes = heard.length;
        int rows = (int) Math.sqrt(nodes);
        while (nodes % rows != 0) {
            rows--;
        }
        int columns = nodes / rows;
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                int node = row * columns + column;
                connect(heard, node, row * columns + (column + 1) % columns);
                connect(heard, node, (row + 1) % rows * columns + column);
            }
        }
    }

    private static TreeSet<Integer>[] regular(Graph graph, int nodes, SplittableRandom random) {
        int degree = (int) graph.parameter();
        require(
                degree < nodes && (degree % 2 == 0 || nodes % 2 == 0),
                "{graph} %s needs more than %s nodes, and an even number of them if k is odd, got"
                        + " %s",
                graph.name(),
                degree,
                nodes);
        TreeSet<Integer>[] heard = alone(nodes);
        for (int node = 0; node < nodes; node++) {
            for (int step = 1; step <= degree / 2; step++) {
                connect(heard, node, (node + step) % nodes);
            }
            if (degree % 2 == 1) {
                connect(heard, node, (node + nodes / 2) % nodes);
            }
        }
        for (int draw = 0; draw < SWITCHES * nodes * degree; draw++) {
            exchange(heard, random);
        }
        // The graph is rarely disconnected, and switches soon connect it again.
        while (degree > 1 && reached(heard) < nodes) {
            exchange(heard, random);
        }
        return heard;
    }

    /**
     * Switches the ends of two edges if all nodes keep their number of neighbors. A chain of such
     * steps can reach every regular graph.
     */
    private static void exchange(TreeSet<Integer>[] heard, SplittableRandom random) {
        int a = random.nextInt(heard.length);
        int c = random.nextInt(heard.length);
        int b = neighbour(heard, a, random);
        int d = neighbour(heard, c, random);
        boolean apart = a != c && a != d && b != c && b != d;
        if (apart && !heard[a].contains(d) && !heard[c].contains(b)) {
            disconnect(heard, a, b);
            disconnect(heard, c, d);
            connect(heard, a, d);
            connect(heard, c, b);
        }
    }

    /** A random node among those heard, other than the node itself. */
    private static int neighbour(TreeSet<Integer>[] heard, int node, SplittableRandom random) {
        int skip = random.nextInt(heard[node].size() - 1);
        return heard[node].stream()
                .filter(other -> other != node)
                .skip(skip)
                .findFirst()
                .orElseThrow();
    }

    private static void disconnect(TreeSet<Integer>[] heard, int a, int b) {
        heard[a].remove(b);
        heard[b].remove(a);
    }

    private static void pull(Graph graph, TreeSet<Integer>[] heard, SplittableRandom random) {
        int nodes = heard.length;
        require(
                graph.parameter() < nodes,
                "{graph} %s needs more than %s nodes, got %s",
                graph.name(),
                (int) graph.parameter(),
                nodes);
        for (TreeSet<Integer> each : heard) {
            while (each.size() <= graph.parameter()) {
                each.add(random.nextInt(nodes));
            }
        }
    }
}
