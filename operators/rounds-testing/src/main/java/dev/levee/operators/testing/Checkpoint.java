package dev.levee.operators.testing;

import dev.levee.operators.rounds.Adversary;
import dev.levee.operators.rounds.AdversaryState;
import dev.levee.operators.rounds.Coordinator;
import dev.levee.operators.rounds.CoordinatorState;
import dev.levee.operators.rounds.Shard;
import dev.levee.operators.rounds.ShardState;
import dev.levee.operators.rounds.WorkerState;
import dev.levee.operators.rounds.codec.Codecs;

import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A consistent cut through the whole dataflow: states and the records in its channels, but neither
 * the loop edge nor running computations.
 */
final class Checkpoint {
    private final List<Frozen<ShardState>> shards;
    private final List<Frozen<AdversaryState>> adversaries;
    private final TreeMap<Integer, Frozen<WorkerState>> workers = new TreeMap<>();
    private final Frozen<CoordinatorState> coordinator;
    private final List<Event.Delivery> channels;
    private final Promises promises;
    private final long late;

    private Checkpoint(
            Stream<ShardState> shards,
            Stream<AdversaryState> adversaries,
            TreeMap<Integer, WorkerState> workers,
            CoordinatorState coordinator,
            List<Event.Delivery> channels,
            Promises promises,
            long late) {
        this.shards = shards.map(s -> new Frozen<>(Codecs.SHARD, s)).toList();
        this.adversaries = adversaries.map(s -> new Frozen<>(Codecs.ADVERSARY, s)).toList();
        workers.forEach(
                (worker, state) -> this.workers.put(worker, new Frozen<>(Codecs.WORKER, state)));
        this.coordinator = new Frozen<>(Codecs.COORDINATOR, coordinator);
        this.channels = channels;
        this.promises = promises.copy();
        this.late = late;
    }

    /** What a run without any checkpoint starts from. */
    static Checkpoint first(
            List<ShardState> shards,
            List<AdversaryState> adversaries,
            TreeMap<Integer, WorkerState> workers,
            CoordinatorState coordinator,
            Promises promises) {
        return new Checkpoint(
                shards.stream(),
                adversaries.stream(),
                workers,
                coordinator,
                List.of(),
                promises,
                0);
    }

    /** The state of everything now. */
    static Checkpoint of(
            Shard[] shards,
            Adversary[] adversaries,
            TreeMap<Integer, WorkerState> workers,
            Coordinator coordinator,
            List<Event.Delivery> channels,
            Promises promises,
            long late) {
        return new Checkpoint(
                Stream.of(shards).map(Shard::snapshot),
                Stream.of(adversaries).map(Adversary::snapshot),
                workers,
                coordinator.snapshot(),
                channels,
                promises,
                late);
    }

    /** Fails if anything that was handed out has been written to since. */
    void check() {
        boolean untouched =
                coordinator.untouched()
                        && shards.stream().allMatch(Frozen::untouched)
                        && adversaries.stream().allMatch(Frozen::untouched)
                        && workers.values().stream().allMatch(Frozen::untouched)
                        && channels.stream().allMatch(Event.Delivery::intact);
        if (!untouched) {
            throw new BrokenPromiseException("a snapshot was written to after it was taken");
        }
    }

    ShardState shard(int block) {
        return shards.get(block).thaw();
    }

    AdversaryState adversary(int part) {
        return adversaries.get(part).thaw();
    }

    TreeMap<Integer, WorkerState> workers() {
        TreeMap<Integer, WorkerState> thawed = new TreeMap<>();
        workers.forEach((worker, state) -> thawed.put(worker, state.thaw()));
        return thawed;
    }

    CoordinatorState coordinator() {
        return coordinator.thaw();
    }

    List<Event.Delivery> channels() {
        return channels;
    }

    Promises promises() {
        return promises.copy();
    }

    long late() {
        return late;
    }
}
