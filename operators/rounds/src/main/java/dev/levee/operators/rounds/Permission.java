package dev.levee.operators.rounds;

/**
 * Tells a participant whether to send the contribution that it has announced ({@link
 * ShardReport.Announced}).
 *
 * @param server the server that the contribution is for
 * @param worker the participant
 * @param base version of the model that the contribution answers
 * @param send true to send it; false to discard it, because it would be too old on arrival
 */
public record Permission(int server, int worker, long base, boolean send) implements LoopMessage {
    @Override
    public long round() {
        return base;
    }

    /** Permissions have no block. */
    @Override
    public ShardId shard() {
        return new ShardId(server, -1);
    }

    @Override
    public Replaces replaces() {
        return Replaces.NOTHING;
    }
}
