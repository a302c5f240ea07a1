package dev.levee.operators.rounds.participant;

import dev.levee.gar.Round;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.participant.ModelAssembler.Assembled;
import dev.levee.operators.rounds.topology.Failover;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Reads the model of one replica, the primary. The first replica is the primary until it falls
 * silent while others continue; then the next one is, whose model may be older (thesis, section
 * 3.6.2). Participants send their answers to all replicas, so they wait for replicas that lag
 * behind. Otherwise, a slow replica would have to keep the rows of many rounds.
 */
final class PrimaryReading implements ModelReading {
    private final Training training;
    private final Failover failover;
    private final ModelAssembler[] assemblers;
    private final Assembled[] newest;

    /** Replicas that open no more rounds; readers do not wait for them. */
    private final BitSet ended = new BitSet();

    private final Slices slices;
    private int primary;
    private long read = -1;

    PrimaryReading(Training training, Slices slices) {
        this.training = training;
        failover = training.topology().failover();
        assemblers = new ModelAssembler[training.topology().servers()];
        Arrays.setAll(assemblers, server -> new ModelAssembler(slices));
        newest = new Assembled[assemblers.length];
        this.slices = slices;
    }

    @Override
    public Assembled add(ModelBlock block) {
        int server = block.shard().server();
        if (block.settings().stop()) {
            ended.set(server);
            return next();
        }
        Assembled model = assemblers[server].add(block);
        if (model == null) {
            return null;
        }
        newest[server] = model;
        return next();
    }

    /** The primary's model, if it is new and no replica is too far behind it. */
    private Assembled next() {
        Assembled model = newest[primary];
        if (model == null || model.version() <= read) {
            return null;
        }
        for (int server = 0; server < newest.length; server++) {
            long version = newest[server] == null ? -1 : newest[server].version();
            boolean over = ended.get(server) || failover.crashed(server, model.version());
            if (version < model.version() - 1 && !over) {
                return null;
            }
        }
        read = model.version();
        return training.topology().lies(primary) ? forged(model) : model;
    }

    /** The model that a Byzantine primary sends; the other replicas have the original model. */
    private Assembled forged(Assembled model) {
        float[] own = model.parameters();
        Round round =
                new Round(
                        newest.length, failover.liars().count(), model.version(), training.seed());
        float[] lie =
                failover.liars()
                        .attack()
                        .forgeRow(
                                training.serverId(primary),
                                round,
                                own,
                                new float[][] {own},
                                slices.dimension(),
                                slices.blockSize());
        return new Assembled(model.version(), model.settings(), lie);
    }

    @Override
    public int primary() {
        return primary;
    }

    @Override
    public long offered() {
        long version = -1;
        for (Assembled each : newest) {
            version = each == null ? version : Math.max(version, each.version());
        }
        return version;
    }

    @Override
    public boolean suspects() {
        return offered() > read && (newest[primary] == null || newest[primary].version() <= read);
    }

    @Override
    public Assembled giveUp() {
        primary = (primary + 1) % newest.length;
        return next();
    }
}
