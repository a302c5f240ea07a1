package dev.levee.operators.rounds.topology;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.Moment.Stage;
import dev.levee.operators.rounds.fault.WrongTrainingException;

import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The servers of a run, the models that participants read, and the exchanges between servers. Each
 * server has a model, a coordinator and shards of its own. An exchange between servers is a round
 * whose participants are servers and whose contributions are models. It closes, waits, detects
 * faults and recovers like a round of workers.
 *
 * @param servers number of parameter servers
 * @param reading which models participants read
 * @param exchange the exchange of models between servers, null if there is none
 * @param graph for nodes that step only along their own gradients: the nodes that each hears; null
 *     if all servers hear each other and gradients go to all
 * @param failover the treatment of crashed servers, null if servers do not crash
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

    /** Replicas of one server, of which {@code byzantine} may be Byzantine. */
    public static Topology replicas(int servers, Exchange exchange) {
        return new Topology(servers, Reading.AGGREGATE, exchange);
    }

    /** Nodes, each of which is a worker and a server. */
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

    /** Replicas of one server that may crash, but are not Byzantine. */
    public static Topology crashTolerant(int servers, Failover failover) {
        return new Topology(servers, Reading.PRIMARY, null, null, failover, null);
    }

    /** One server with a second one that keeps a replica. */
    public static Topology standingBy(Standby standby) {
        return new Topology(1, Reading.PER_SERVER, null, null, null, standby);
    }

    /** True if each participant is a node, which is a worker and a server. */
    public boolean nodes() {
        return reading == Reading.OWN;
    }

    /** The word for a server in messages: node or server. */
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

    /** Number of servers that get gradients of their own: all, or one for all. */
    public int receivers() {
        return separate() ? servers : 1;
    }

    /** True if participants read several servers and answer all of them at once. */
    boolean together() {
        return readersCombine() || reading == Reading.PRIMARY;
    }

    /** True if a server may receive rows of rounds that other servers have opened earlier. */
    public boolean linked() {
        return exchange != null || failover != null;
    }

    /** The servers that attack in an experiment. */
    public Attackers liars() {
        if (failover != null) {
            return failover.liars();
        }
        return exchange == null ? Attackers.NONE : exchange.liars();
    }

    /**
     * True if a server is Byzantine in an experiment. These are the last servers, except for
     * replicas of which participants read one: there, they are the first.
     */
    public boolean lies(int server) {
        int liars = liars().count();
        return failover != null ? server < liars : server >= servers - liars;
    }

    /** True if a server has crashed before a round of workers. */
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
     * Number of models that close an exchange of a server that hears this many, itself included;
     * all of them without an exchange.
     */
    public int quorum(int heard) {
        return exchange == null ? heard : Math.min(exchange.quorum(), heard);
    }

    /**
     * True if a server closes an exchange before it has heard all servers, so it must remember
     * which servers have sent the previous exchange.
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

    /**
     * Largest difference between a round of workers and the newest version whose gradients may
     * arrive meanwhile.
     */
    public long gradientsAhead(long iterations) {
        if (failover != null) {
            return 2;
        }
        if (remembersTold()) {
            return longestWait(iterations);
        }
        return exchange == null ? 1 : 2 + exchange.contraction().steps(iterations);
    }

    /**
     * Number of rounds of workers from the last exchange before an iteration to that iteration's
     * round.
     */
    public long sinceExchange(long iteration) {
        return exchange == null ? 0 : iteration % exchange.every();
    }

    /**
     * Largest difference between a round of servers and the newest version that other servers may
     * have offered.
     */
    public long longestWait(long iterations) {
        if (exchange == null) {
            return 1;
        }
        long next = 1 + exchange.every() + exchange.contraction().steps(iterations);
        return remembersTold() ? 2 * next : next + drift();
    }

    /**
     * Largest number of versions that other servers may be ahead of a block of a server. A round
     * does not wait for a server that one block has proven faulty, and the slowest block may be one
     * version behind that block.
     */
    public long farthestBehind(long iterations) {
        boolean proofs = exchange != null && !remembersTold();
        return longestWait(iterations) + (proofs ? 1 : 0);
    }

    /**
     * Largest number of contributions to later rounds that one sender may have sent. Servers that
     * do not wait for each other are at most two exchanges ahead, with the rounds of workers
     * between them.
     */
    public int mostAhead() {
        return remembersTold() ? 2 * exchange.every() : 2 + drift();
    }

    /**
     * Number of exchanges that nodes may be ahead of a node that they do not hear. Waiting spreads
     * from node to node, so all nodes soon wait.
     */
    private int drift() {
        return graph == null ? 0 : graph.drift(servers);
    }

    /** The servers that a server hears in an exchange, itself included, in order. */
    public int[] heardBy(int server, long seed, long version) {
        return graph == null ? all() : graph.heard(servers, seed, version)[server];
    }

    /** The servers that hear a server in an exchange, itself included, in order. */
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

    /** The servers that a server hears in every exchange, itself included, in order. */
    public int[] alwaysHeard(int server, long seed) {
        if (graph == null) {
            return all();
        }
        int[] reach = graph.reach(servers, seed)[server];
        boolean whole = 1 + graph.heardOf(reach.length - 1) == reach.length;
        return whole ? reach : new int[] {server};
    }

    /** Fewest servers that any server hears, itself included. */
    public int fewestHeard(long seed) {
        return heard(seed).min().orElseThrow();
    }

    /** Most servers that any server hears, itself included. */
    public int mostHeard(long seed) {
        return heard(seed).max().orElseThrow();
    }

    private IntStream heard(long seed) {
        return graph == null
                ? IntStream.of(servers)
                : Arrays.stream(graph.reach(servers, seed))
                        .mapToInt(each -> 1 + graph.heardOf(each.length - 1));
    }

    private int[] all() {
        return IntStream.range(0, servers).toArray();
    }
}
