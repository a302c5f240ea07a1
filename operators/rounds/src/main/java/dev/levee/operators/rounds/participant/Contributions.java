package dev.levee.operators.rounds.participant;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Lease;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.topology.ReadingGroup;
import dev.levee.operators.rounds.training.AttackPlan;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.rounds.vector.Slices;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Sends participants' contributions, block by block, to their servers. */
final class Contributions {
    private static final ShardId FIRST = new ShardId(0, 0);

    /** Arrays are reused only if the heap can hold the rows of this many rounds. */
    private static final long ROUNDS = 4;

    private final Training training;
    private final long run;
    private final Slices slices;
    private final ReadingGroup group;
    private final LocalVectors held;
    private final Consumer<GradientBlock> output;
    private final LongSupplier micros;

    /**
     * Leases of the vectors that active participants keep until their next contribution. A vector
     * whose lease is dropped is not used again.
     */
    private final Map<Integer, Lease> kept = new HashMap<>();

    Contributions(
            Training training,
            long run,
            Slices slices,
            ReadingGroup group,
            LocalVectors held,
            Consumer<GradientBlock> output,
            LongSupplier micros) {
        this.training = training;
        this.run = run;
        this.slices = slices;
        this.group = group;
        this.held = held;
        this.output = output;
        this.micros = micros;
    }

    /** The vectors that participants keep are not used again: a checkpoint may be written later. */
    void stored() {
        kept.clear();
    }

    /** The vectors that a participant keeps are not used again, because they are in its state. */
    void rests(int worker) {
        kept.remove(worker);
    }

    /**
     * Sends the contribution of an active participant.
     *
     * @param base version of the model that it answers
     * @param modelAt when that version arrived, microseconds since the epoch
     */
    void send(int worker, long base, Settings settings, Work.Result result, long modelAt) {
        long computedAt = micros.getAsLong();
        Lease lease = lends(settings) ? new Lease(result.unread()) : null;
        Header header =
                Header.gradient(run, settings.due(base, worker), base, worker, FIRST)
                        .encoded(training.admission().encoding());
        for (int server : group.told()) {
            for (int block = 0; block < slices.count(); block++) {
                boolean here = held.contribution().hold(slices.offset(block), slices.length(block));
                boolean empty = result.values().length == 0;
                if (training.topology().crashed(server, base) || !here && !empty) {
                    continue;
                }
                output.accept(
                        new GradientBlock(
                                header.to(new ShardId(server, block)),
                                result.weight(),
                                result.loss(),
                                modelAt,
                                computedAt,
                                result.values(),
                                empty ? 0 : held.contribution().at(slices.offset(block)),
                                empty ? 0 : slices.length(block),
                                block == 0 ? result.halves() : null,
                                null,
                                lease == null ? null : lease.toReader()));
            }
        }
        Lease before = kept.remove(worker);
        if (before != null) {
            before.done();
        }
        if (lease != null && result.vectors().containsValue(result.values())) {
            kept.put(worker, lease);
        } else if (lease != null) {
            lease.done();
        }
    }

    /**
     * True if arrays may be reused: only their senders and the receiving shards read contributions,
     * and the heap is large. In a small heap, long-lived arrays leave gaps that are too short for
     * other arrays.
     */
    private boolean lends(Settings settings) {
        long row = (long) Float.BYTES * slices.dimension();
        return ROUNDS * settings.workers() * row <= Runtime.getRuntime().maxMemory()
                && !training.rule().needsScores()
                && !training.topology().exchanges()
                && !training.admission().combined()
                && !AttackPlan.of(training).onTheWay();
    }
}
