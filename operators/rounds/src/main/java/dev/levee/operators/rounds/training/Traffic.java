package dev.levee.operators.rounds.training;

import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.vector.Slices;

import java.util.ArrayList;
import java.util.List;

/**
 * The number and size of one kind of message in a run with several servers, assuming that each role
 * has a process of its own. Within a process, records are passed without a copy.
 *
 * @param kind the kind of message
 * @param messages number of whole vectors at a time
 * @param times how often in the whole run
 * @param bytes size of one vector in bytes
 */
public record Traffic(Kind kind, long messages, long times, long bytes) {
    /** Kinds of messages. */
    public enum Kind {
        MODELS_TO_WORKERS("models to workers"),
        GRADIENTS("gradients to servers"),
        MODELS("models between servers"),
        AGGREGATES("aggregates between servers");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        /** A description of the kind. */
        public String words() {
            return words;
        }
    }

    /**
     * All kinds of messages of a training, in the order of a round; empty if servers are not
     * linked.
     */
    public static List<Traffic> of(Training training) {
        Topology topology = training.topology();
        if (!topology.linked()) {
            return List.of();
        }
        List<Traffic> kinds = new ArrayList<>();
        long rounds = training.rounds();
        long bytes = Slices.of(training.model().layout()).dimension() * (long) Float.BYTES;
        long servers = topology.servers();
        long gradients = training.plan().at(training, 0).workers() * servers;
        long models = topology.nodes() ? servers : gradients;
        if (!topology.local()) {
            kinds.add(new Traffic(Kind.MODELS_TO_WORKERS, models, rounds, bytes));
            kinds.add(new Traffic(Kind.GRADIENTS, gradients, rounds, bytes));
        }
        if (topology.exchanges()) {
            Exchange exchange = topology.exchange();
            long told = -servers;
            for (int server = 0; server < servers; server++) {
                told += topology.heardBy(server, training.seed(), 0).length;
            }
            if (exchange.contraction().steps() != 0) {
                long contractions = exchange.contraction().before(rounds);
                kinds.add(new Traffic(Kind.AGGREGATES, told, contractions, bytes));
            }
            long exchanged = (rounds + exchange.every() - 1) / exchange.every();
            kinds.add(new Traffic(Kind.MODELS, told, exchanged, bytes));
        }
        return kinds;
    }
}
