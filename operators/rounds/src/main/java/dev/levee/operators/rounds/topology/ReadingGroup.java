package dev.levee.operators.rounds.topology;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Servers whose models participants read together, and the servers that get the contributions.
 *
 * @param index index of the group, from 0
 * @param read the servers whose models are read, in order
 * @param told the servers that get the contribution, in order
 * @param only the one participant that reads this group, −1 if all do
 */
public record ReadingGroup(int index, int[] read, int[] told, int only) {
    /** A group of one server, which all participants read and answer. */
    public static ReadingGroup of(int server) {
        return new ReadingGroup(server, new int[] {server}, new int[] {server}, -1);
    }

    /** All groups of a topology. */
    public static List<ReadingGroup> of(Topology topology) {
        IntStream servers = IntStream.range(0, topology.servers());
        int[] all = IntStream.range(0, topology.servers()).toArray();
        return switch (topology.reading()) {
            case PER_SERVER -> servers.mapToObj(ReadingGroup::of).toList();
            case AGGREGATE, PRIMARY -> List.of(new ReadingGroup(0, all, all, -1));
            case OWN ->
                    servers.mapToObj(
                                    node ->
                                            new ReadingGroup(
                                                    node,
                                                    new int[] {node},
                                                    topology.local() ? new int[] {node} : all,
                                                    node))
                            .toList();
        };
    }

    /** The group in which a server's models are read. */
    public static int of(Topology topology, int server) {
        return topology.together() ? 0 : server;
    }
}
