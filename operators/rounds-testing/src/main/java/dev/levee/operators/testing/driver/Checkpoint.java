package dev.levee.operators.testing.driver;

import dev.levee.operators.rounds.adversary.AdversaryState;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.coordinator.CoordinatorState;
import dev.levee.operators.rounds.participant.WorkerState;
import dev.levee.operators.rounds.shard.ShardState;
import dev.levee.operators.rounds.transfer.OrderedTransfers;
import dev.levee.operators.testing.BrokenInvariantException;
import dev.levee.operators.testing.Frozen;
import dev.levee.operators.testing.invariants.Invariants;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A consistent snapshot of the whole dataflow: states and the records in its channels, but neither
 * the loop edge nor running computations.
 *
 * @param servers the state of each server's loop
 * @param readers the states of participants, by the group of servers that they read
 * @param channels records in transit
 * @param late gradients that were too late so far
 */
record Checkpoint(
        List<Loop> servers, List<Group> readers, List<Event.Delivery> channels, long late) {
    /** The states of participants for one group of servers. */
    static final class Group {
        private final TreeMap<Integer, Frozen<WorkerState>> workers = new TreeMap<>();

        Group(Map<Integer, WorkerState> workers) {
            workers.forEach(
                    (id, state) -> this.workers.put(id, new Frozen<>(Codecs.WORKER, state)));
        }

        /** The states of participants that have one. */
        TreeMap<Integer, WorkerState> workers() {
            TreeMap<Integer, WorkerState> thawed = new TreeMap<>();
            workers.forEach((worker, state) -> thawed.put(worker, state.thaw()));
            return thawed;
        }

        private boolean untouched() {
            return workers.values().stream().allMatch(Frozen::untouched);
        }
    }

    /** The states of one server's loop. */
    static final class Loop {
        private final List<Frozen<ShardState>> shards;
        private final List<Frozen<AdversaryState>> adversaries;
        private final List<Frozen<AdversaryState>> liars;
        private final Frozen<CoordinatorState> coordinator;
        private final Frozen<OrderedTransfers.State> transfers;
        private final Invariants promises;

        Loop(
                List<ShardState> shards,
                List<AdversaryState> adversaries,
                List<AdversaryState> liars,
                CoordinatorState coordinator,
                OrderedTransfers.State transfers,
                Invariants promises) {
            this.shards = shards.stream().map(s -> new Frozen<>(Codecs.SHARD, s)).toList();
            this.adversaries =
                    adversaries.stream().map(s -> new Frozen<>(Codecs.ADVERSARY, s)).toList();
            this.liars = liars.stream().map(s -> new Frozen<>(Codecs.ADVERSARY, s)).toList();
            this.coordinator = new Frozen<>(Codecs.COORDINATOR, coordinator);
            this.transfers = new Frozen<>(Codecs.TRANSFERS, transfers);
            this.promises = promises.copy();
        }

        private boolean untouched() {
            return coordinator.untouched()
                    && transfers.untouched()
                    && shards.stream().allMatch(Frozen::untouched)
                    && adversaries.stream().allMatch(Frozen::untouched)
                    && liars.stream().allMatch(Frozen::untouched);
        }

        ShardState shard(int block) {
            return shards.get(block).thaw();
        }

        AdversaryState adversary(int part) {
            return adversaries.get(part).thaw();
        }

        AdversaryState liar(int part) {
            return liars.get(part).thaw();
        }

        CoordinatorState coordinator() {
            return coordinator.thaw();
        }

        OrderedTransfers.State transfers() {
            return transfers.thaw();
        }

        Invariants promises() {
            return promises.copy();
        }
    }

    /** Fails if a value in the checkpoint was changed afterward. */
    void check() {
        if (!servers.stream().allMatch(Loop::untouched)
                || !readers.stream().allMatch(Group::untouched)
                || !channels.stream().allMatch(Event.Delivery::intact)) {
            throw new BrokenInvariantException("a snapshot was written to after it was taken");
        }
    }
}
