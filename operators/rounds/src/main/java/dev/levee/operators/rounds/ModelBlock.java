package dev.levee.operators.rounds;

/**
 * One block of one version of the model, and the settings of the round it opens.
 *
 * @param values never written after construction
 */
public record ModelBlock(Header header, Settings settings, float[] values) implements LoopMessage {
    @Override
    public long round() {
        return header.round();
    }

    @Override
    public int block() {
        return header.block();
    }
}
