package dev.levee.operators.driver;

import dev.levee.operators.rounds.AdversaryState;
import dev.levee.operators.rounds.CoordinatorState;
import dev.levee.operators.rounds.ShardState;
import dev.levee.operators.rounds.WorkerState;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * A consistent cut through the whole dataflow: states and the records in its channels, but neither
 * the loop edge nor running computations. Keeps what the protocol handed out and what it should
 * still look like.
 */
final class Checkpoint {
    private final ShardState[] shards;
    private final ShardState[] shardCopies;
    private final AdversaryState[] adversaries;
    private final AdversaryState[] adversaryCopies;
    private final TreeMap<Integer, WorkerState> workers;
    private final TreeMap<Integer, WorkerState> workerCopies = new TreeMap<>();
    private final CoordinatorState coordinator;
    private final byte[] coordinatorBytes;
    private final List<Event.Delivery> channels;
    private final Promises promises;
    private final long late;

    Checkpoint(
            ShardState[] shards,
            AdversaryState[] adversaries,
            TreeMap<Integer, WorkerState> workers,
            CoordinatorState coordinator,
            List<Event.Delivery> channels,
            Promises promises,
            long late) {
        this.shards = shards;
        this.adversaries = adversaries;
        this.workers = workers;
        this.coordinator = coordinator;
        this.channels = channels;
        this.promises = promises.copy();
        this.late = late;
        shardCopies = Arrays.stream(shards).map(Copies::of).toArray(ShardState[]::new);
        adversaryCopies = Arrays.stream(adversaries).map(Copies::of).toArray(AdversaryState[]::new);
        workers.forEach((worker, state) -> workerCopies.put(worker, Copies.of(state)));
        coordinatorBytes = Copies.write(coordinator);
    }

    /** Fails if anything that was handed out has been written to since. */
    void check() {
        boolean same = Arrays.equals(coordinatorBytes, Copies.write(coordinator));
        for (int block = 0; block < shards.length; block++) {
            same &= Copies.same(shards[block], shardCopies[block]);
        }
        for (int block = 0; block < adversaries.length; block++) {
            same &= Copies.same(adversaries[block], adversaryCopies[block]);
        }
        for (int worker : workers.keySet()) {
            same &= Copies.same(workers.get(worker), workerCopies.get(worker));
        }
        for (Event.Delivery delivery : channels) {
            same &= delivery.intact();
        }
        if (!same) {
            throw new BrokenPromiseException("a snapshot was written to after it was taken");
        }
    }

    ShardState shard(int block) {
        return Copies.of(shardCopies[block]);
    }

    AdversaryState adversary(int block) {
        return Copies.of(adversaryCopies[block]);
    }

    TreeMap<Integer, WorkerState> workers() {
        TreeMap<Integer, WorkerState> copies = new TreeMap<>();
        workerCopies.forEach((worker, state) -> copies.put(worker, Copies.of(state)));
        return copies;
    }

    CoordinatorState coordinator() {
        return Copies.read(coordinatorBytes);
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
