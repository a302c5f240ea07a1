package dev.levee.operators.rounds.topology;

import static dev.levee.operators.rounds.WrongTrainingException.require;

import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.Moment.Stage;
import dev.levee.operators.rounds.WrongTrainingException;

import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The servers of a run, the models that participants read, and the exchanges between servers. Each
 * server has a model, a coordinator and shards of its own. An exchange between servers is a round
 * like any other, whose participants are servers and whose contributions are models, so it closes,
 * waits, finds faults and recovers like a round of workers.
 *
 * @param servers number of parameter servers
 * @param reading which models participants read
 * @param exchange how servers bring their models together, null if they do not
 * @param graph whom a node hears that steps along its own gradient only and has others pull at its
 *     model; null where everybody hears everybody and gradients go to all
 * @param failover the treatment of a server that crashes, null if none may
 * @param standby a second server that stays near the only one, null if there is none
 */
public record Topology(
        int servers,
        Reading reading,
        Exchange exchange,
        Graph graph,
        Failover failover,
        Standby standby)
        implements Serializable {
    /** One parameter server. */
    public static final Topology ONE = new Topology(1);

    /**
     * Checks the number.
     *
     * @throws WrongTrainingException if there is no server; one sentence
     */
    public Topology {
        require(servers >= 1, "{servers} must be at least 1, got %s", servers);
        require(
                exchange != null || reading == Reading.PER_SERVER || reading == Reading.PRIMARY,
                "{servers} whose models are read together need a {serverAggregator}, got none");
        require(
                (failover != null) == (reading == Reading.PRIMARY)
                        && (failover == null || exchange == null),
                "a fail-over is for {servers} that exchange no models, one of which is read");
        require(
                graph == null || reading == Reading.OWN,
                "{graph} is for nodes that are worker and server at once");
        require(
                standby == null || servers == 1 && failover == null,
                "{replica} is of one server, got %s",
                servers);
    }

    /** Servers that all read each other's models. */
    public Topology(int servers, Reading reading, Exchange exchange) {
        this(servers, reading, exchange, null, null, null);
    }

    /** Servers that do not exchange models. */
    public Topology(int servers) {
        this(servers, Reading.PER_SERVER, null);
    }

    /** Replicas of one server, of which {@code byzantine} may lie. */
    public static Topology replicas(int servers, Exchange exchange) {
        return new Topology(servers, Reading.AGGREGATE, exchange);
    }

    /** Nodes that are worker and server at once. */
    public static Topology decentralised(int nodes, Exchange exchange) {
        return new Topology(nodes, Reading.OWN, exchange);
    }

    /**
     * Nodes that step along their own gradient and then combine the models of the nodes that they
     * hear (MoNNA: Farhadkhani et al., ICML 2023; ClippedGossip: He, Karimireddy, Jaggi, 2022).
     */
    public static Topology gossip(int nodes, Exchange exchange, Graph graph) {
        return new Topology(nodes, Reading.OWN, exchange, graph, null, null);
    }

    /** Replicas of one server that may crash, but do not lie. */
    public static Topology crashTolerant(int servers, Failover failover) {
        return new Topology(servers, Reading.PRIMARY, null, null, failover, null);
    }

    /** One server with a second one that keeps a replica. */
    public static Topology standingBy(Standby standby) {
        return new Topology(1, Reading.PER_SERVER, null, null, null, standby);
    }

    /** True if each participant is a node: worker and server at once. */
    public boolean nodes() {
        return reading == Reading.OWN;
    }

    /** The usual word for a server. */
    public String serverWord() {
        return nodes() ? "node" : "server";
    }

    /** True if participants combine the models of all servers. */
    public boolean readersCombine() {
        return reading == Reading.AGGREGATE;
    }

    /** True if each server gets gradients of its own model. */
    public boolean separate() {
        return reading == Reading.PER_SERVER;
    }

    /** True if participants read several servers and answer all of them at once. */
    boolean together() {
        return readersCombine() || reading == Reading.PRIMARY;
    }

    /** True if a server may get rows of rounds that others have opened before it. */
    public boolean linked() {
        return exchange != null || failover != null;
    }

    /** The servers that really lie. */
    public Attackers liars() {
        if (failover != null) {
            return failover.liars();
        }
        return exchange == null ? Attackers.NONE : exchange.liars();
    }

    /**
     * True if a server is Byzantine in an experiment: the last ones are, but the first ones of
     * replicas that are read alone.
     */
    public boolean lies(int server) {
        int liars = liars().count();
        return failover != null ? server < liars : server >= servers - liars;
    }

    /** True if a server has no part in a round of workers any more. */
    public boolean crashed(int server, long iteration) {
        return failover != null && failover.crashed(server, iteration);
    }

    /** True if each node steps along its own gradient only. */
    public boolean local() {
        return graph != null;
    }

    /** True if servers exchange anything. */
    public boolean exchanges() {
        return exchange != null;
    }

    /**
     * Models that close an exchange of a server that hears so many, itself among them; all without
     * an exchange.
     */
    public int quorum(int heard) {
        return exchange == null ? heard : Math.min(exchange.quorum(), heard);
    }

    /**
     * True if a server closes an exchange before it has heard all servers, so that it must remember
     * which servers have told it the exchange before.
     */
    public boolean remembersTold() {
        return exchanges() && exchange.quorum() < servers;
    }

    /** The version that opens an iteration. */
    public long version(long iteration, long iterations) {
        if (exchange == null) {
            return iteration;
        }
        long models = iteration / exchange.every();
        boolean last = iteration >= iterations && iterations % exchange.every() != 0;
        return iteration + exchange.contraction().before(iteration) + models + (last ? 1 : 0);
    }

    /**
     * The moment of a version.
     *
     * @param iterations of the whole run
     */
    public Moment moment(long version, long iterations) {
        if (exchange == null) {
            return new Moment(version, Stage.GRADIENTS, 0);
        }
        long low = 0;
        long high = version;
        while (low < high) {
            long middle = low + (high - low + 1) / 2;
            if (version(middle, iterations) <= version) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        int step = (int) (version - version(low, iterations));
        int contractions = exchange.contraction().steps(low);
        if (step == 0) {
            return new Moment(low, Stage.GRADIENTS, 0);
        }
        return step <= contractions
                ? new Moment(low, Stage.AGGREGATES, step - 1)
                : new Moment(low, Stage.MODELS, 0);
    }

    /** Most versions from a round of workers to the newest whose gradients may come meanwhile. */
    public long gradientsAhead(long iterations) {
        if (failover != null) {
            return 2;
        }
        if (remembersTold()) {
            return longestWait(iterations);
        }
        return exchange == null ? 1 : 2 + exchange.contraction().steps(iterations);
    }

    /** Rounds of workers between the last exchange before an iteration and that one's. */
    public long sinceExchange(long iteration) {
        return exchange == null ? 0 : iteration % exchange.every();
    }

    /** Most versions from a round of servers to the newest that others may have offered by then. */
    public long longestWait(long iterations) {
        if (exchange == null) {
            return 1;
        }
        long next = 1 + exchange.every() + exchange.contraction().steps(iterations);
        return remembersTold() ? 2 * next : next + drift();
    }

    /**
     * Most versions that others may have made since the version that a block of a server has. The
     * round does not wait for a server that one of its blocks has proven faulty, though its slowest
     * block may be a version behind that one.
     */
    public long farthestBehind(long iterations) {
        boolean proofs = exchange != null && !remembersTold();
        return longestWait(iterations) + (proofs ? 1 : 0);
    }

    /**
     * Contributions to later rounds that one sender may have sent. Where servers do not wait for
     * each other, they are two exchanges ahead at most, with the rounds of workers between.
     */
    public int mostAhead() {
        return remembersTold() ? 2 * exchange.every() : 2 + drift();
    }

    /**
     * Number of exchanges that nodes may be ahead of one that they do not hear. Nodes that wait for
     * a node make others wait, so soon all wait.
     */
    private int drift() {
        return graph == null ? 0 : graph.drift(servers);
    }

    /** The servers that a server listens to in an exchange, itself among them, in order. */
    public int[] heardBy(int server, long seed, long version) {
        return graph == null ? all() : graph.heard(servers, seed, version)[server];
    }

    /** The servers that listen to a server in an exchange, itself among them, in order. */
    public int[] hearing(int server, long seed, long version) {
        if (graph == null) {
            return all();
        }
        int[][] heard = graph.heard(servers, seed, version);
        return IntStream.range(0, servers)
                .filter(other -> Arrays.binarySearch(heard[other], server) >= 0)
                .toArray();
    }

    /**
     * The weight of a server's model at a listener, if the rule asks for mixing weights; 1
     * otherwise.
     */
    public double weight(int listener, int server, long seed) {
        return graph != null && exchange.rule().gossips()
                ? graph.weight(servers, seed, listener, server)
                : 1;
    }

    /** Fewest servers that any listens to, itself among them. */
    public int fewestHeard(long seed) {
        return graph == null
                ? servers
                : Arrays.stream(graph.reach(servers, seed))
                        .mapToInt(each -> 1 + graph.heardOf(each.length - 1))
                        .min()
                        .orElseThrow();
    }

    private int[] all() {
        return IntStream.range(0, servers).toArray();
    }
}
