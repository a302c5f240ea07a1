package dev.levee.operators.rounds.topology;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.gar.Draws;
import dev.levee.operators.rounds.fault.WrongTrainingException;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The edges between nodes, each of which is a worker and a server. Random graphs follow from the
 * run's seed.
 *
 * @param kind how nodes are connected
 * @param parameter the kind's parameter: neighbors of each node, the probability of an edge, or
 *     peers pulled in each round; 0 where the kind has none
 * @param pulled number of neighbors whose models a node reads in each exchange, drawn anew each
 *     time; a node with fewer neighbors reads all. 0 if nodes always read all neighbors
 */
public record Graph(Kind kind, double parameter, int pulled) implements Serializable {
    private static final Pattern FORM = Pattern.compile("([a-z-]+)(?:\\(([0-9.]+)\\))?");
    private static final Pattern PEERS = Pattern.compile("pull\\(([0-9]{1,9})\\)");
    private static final long PULLS = 0x3C6EF372FE94F82BL;

    /** Cache of the newest graphs, because every message needs one. */
    private static final Map<Drawing, int[][]> DRAWN = new ConcurrentHashMap<>();

    private static final int MOST_DRAWN = 256;
    private static final int MOST_DRIFT = 100;

    private record Drawing(Graph graph, int nodes, long seed, long round) {}

    /** Kinds of graphs. */
    public enum Kind {
        /** All pairs of nodes are connected. */
        COMPLETE,
        /** Every node is connected to the one before it and the one after it. */
        RING,
        /** A grid that wraps around in both directions, as square as the number of nodes allows. */
        TORUS,
        /** Every node is connected to node 0. */
        STAR,
        /**
         * All nodes have the same number of neighbors. The graph is a union of random rings, and of
         * a random matching if the number is odd.
         */
        RANDOM_REGULAR,
        /** Each pair is connected with a given probability. */
        ERDOS_RENYI,
        /** Each node hears a number of other nodes, drawn anew in each round. */
        PULL;

        private String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        private boolean takesParameter() {
            return this == RANDOM_REGULAR || this == ERDOS_RENYI || this == PULL;
        }
    }

    /** Checks the parameter. */
    public Graph {
        boolean whole = parameter == Math.rint(parameter);
        boolean right =
                switch (kind) {
                    case RANDOM_REGULAR -> parameter >= 2 && whole;
                    case PULL -> parameter >= 1 && whole;
                    case ERDOS_RENYI -> parameter > 0 && parameter <= 1;
                    default -> parameter == 0;
                };
        require(
                right,
                "{graph} must be complete, ring, torus, star, random-regular(k) with k of at least"
                        + " 2, erdos-renyi(p) with p above 0 and at most 1, or pull(s) with s of at"
                        + " least 1, got %s(%s)",
                kind.word(),
                parameter);
        require(
                pulled == 0 || kind != Kind.PULL,
                "{graph} pull(%s) draws peers itself, so leave {peers} out, or name the {graph}"
                        + " along which they are pulled",
                (int) parameter);
    }

    /** Creates a graph whose nodes hear all their neighbors, or those that the kind draws. */
    public Graph(Kind kind, double parameter) {
        this(kind, parameter, 0);
    }

    /**
     * Reads a name such as {@code ring} or {@code random-regular(4)}.
     *
     * @throws IllegalArgumentException if the text is not a graph; one sentence
     */
    public static Graph parse(String text) {
        Matcher form = FORM.matcher(text.trim());
        if (form.matches()) {
            for (Kind kind : Kind.values()) {
                boolean given = form.group(2) != null;
                if (kind.word().equals(form.group(1)) && kind.takesParameter() == given) {
                    return new Graph(kind, given ? Double.parseDouble(form.group(2)) : 0);
                }
            }
        }
        throw new IllegalArgumentException(
                "a graph is complete, ring, torus, star, random-regular(k), erdos-renyi(p) or pull(s), got %s"
                        .formatted(text));
    }

    /**
     * The same graph in which nodes hear only some of their neighbors, drawn anew in each exchange.
     *
     * @param peers {@code all}, or a number such as {@code pull(5)}
     * @throws IllegalArgumentException if it is neither; one sentence
     */
    public Graph pulling(String peers) {
        if (peers.strip().equals("all")) {
            return new Graph(kind, parameter);
        }
        Matcher form = PEERS.matcher(peers.strip());
        if (!form.matches() || Integer.parseInt(form.group(1)) == 0) {
            throw new IllegalArgumentException(
                    "peers are all, or pull(s) with s of at least 1, got " + peers);
        }
        return new Graph(kind, parameter, Integer.parseInt(form.group(1)));
    }

    /** True if the nodes that a node hears are drawn anew in each exchange. */
    public boolean pulls() {
        return kind == Kind.PULL || pulled > 0;
    }

    /**
     * For each of {@code nodes} nodes, the nodes that it may pull from, itself included, in order;
     * on fixed graphs, those that it hears.
     */
    public int[][] reach(int nodes, long seed) {
        Graph whole = kind == Kind.PULL ? new Graph(Kind.COMPLETE, 0) : new Graph(kind, parameter);
        return whole.heard(nodes, seed, 0);
    }

    /** Number of other nodes that a node reads if it has this many neighbors. */
    public int heardOf(int neighbours) {
        int most = kind == Kind.PULL ? (int) parameter : pulled == 0 ? neighbours : pulled;
        return Math.min(most, neighbours);
    }

    /** The name that users see. */
    public String name() {
        return pulled == 0 ? kindName() : kindName() + " pull(" + pulled + ")";
    }

    private String kindName() {
        if (!kind.takesParameter()) {
            return kind.word();
        }
        boolean whole = parameter == Math.rint(parameter);
        return kind.word() + "(" + (whole ? String.valueOf((int) parameter) : parameter) + ")";
    }

    /**
     * For each of {@code nodes} nodes, the nodes that it hears, itself included, in order; shared
     * and not to be changed.
     *
     * @param round the round of the exchange; only pulled peers depend on it
     * @throws WrongTrainingException if there is no such graph of this many nodes; one sentence
     */
    public int[][] heard(int nodes, long seed, long round) {
        if (DRAWN.size() > MOST_DRAWN) {
            DRAWN.clear();
        }
        if (pulled > 0) {
            int[][] neighbours = reach(nodes, seed);
            return DRAWN.computeIfAbsent(
                    new Drawing(this, nodes, seed, round),
                    drawing -> some(neighbours, Draws.key(seed, round, PULLS)));
        }
        return DRAWN.computeIfAbsent(
                new Drawing(this, nodes, seed, kind == Kind.PULL ? round : -1),
                drawing ->
                        Arrays.stream(GraphDrawing.of(this, nodes, seed, round))
                                .map(each -> each.stream().mapToInt(Integer::intValue).toArray())
                                .toArray(int[][]::new));
    }

    /** For each node, the neighbors that it pulls from, and itself. */
    private int[][] some(int[][] neighbours, long key) {
        SplittableRandom random = new SplittableRandom(key);
        int[][] heard = new int[neighbours.length][];
        for (int node = 0; node < heard.length; node++) {
            int[] all = neighbours[node];
            TreeSet<Integer> drawn = new TreeSet<>(List.of(node));
            while (drawn.size() < Math.min(pulled + 1, all.length)) {
                drawn.add(all[random.nextInt(all.length)]);
            }
            heard[node] = drawn.stream().mapToInt(Integer::intValue).toArray();
        }
        return heard;
    }

    /**
     * Metropolis weight with which a node mixes in another node's model, or its own: 1/(1 +
     * max(k_i, k_j)) for neighbors i and j with k_i and k_j neighbors, and the remainder to 1 for
     * itself. Weights are multiplied by k_i + 1, which makes them 1 on regular graphs. Pulled nodes
     * all have the same weight, because they need not hear the node.
     */
    double weight(int nodes, long seed, int node, int other) {
        if (pulls()) {
            return 1;
        }
        int[][] heard = heard(nodes, seed, 0);
        double own = heard[node].length;
        if (node != other) {
            return own / Math.max(heard[node].length, heard[other].length);
        }
        double left = own;
        for (int neighbour : heard[node]) {
            left -= neighbour == node ? 0 : weight(nodes, seed, node, neighbour);
        }
        return left;
    }

    /**
     * Checks that information from each node can reach every other node.
     *
     * @throws WrongTrainingException if not; one sentence
     */
    public void check(int nodes, long seed) {
        TreeSet<Integer>[] heard = GraphDrawing.of(this, nodes, seed, 0);
        if (kind == Kind.PULL) {
            return;
        }
        int count = GraphDrawing.reached(heard);
        require(
                count == nodes,
                "{graph} %s of %s nodes with this {seed} is not connected: node 0 reaches %s"
                        + " others",
                kindName(),
                nodes,
                count - 1);
        int most = mostNeighbours(nodes, seed);
        require(
                pulled < most,
                "{peers} pull(%s) needs a {graph} with a node that has more than %s neighbors, and"
                        + " %s of %s nodes has none with more than %s",
                pulled,
                pulled,
                kindName(),
                nodes,
                most);
    }

    /** Largest number of other nodes that any node hears or can pull from. */
    private int mostNeighbours(int nodes, long seed) {
        return Arrays.stream(reach(nodes, seed)).mapToInt(each -> each.length).max().orElseThrow()
                - 1;
    }

    /**
     * Number of exchanges that a node may be ahead of another node that it need not hear. A message
     * takes about neighbors/pulled exchanges for each step of its path, and a path has at most as
     * many steps as half a ring has nodes.
     */
    int drift(int nodes) {
        if (!pulls()) {
            return 0;
        }
        int most =
                switch (kind) {
                    case RING -> 2;
                    case TORUS -> 4;
                    case RANDOM_REGULAR -> (int) parameter;
                    case COMPLETE, PULL -> 0; // one step, after which all wait
                    case STAR, ERDOS_RENYI -> nodes - 1;
                };
        return MOST_DRIFT + 2 * nodes * most / Math.max(1, pulled);
    }
}
