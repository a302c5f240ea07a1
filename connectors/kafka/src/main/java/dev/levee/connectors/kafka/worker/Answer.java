package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.operators.rounds.vector.Slices;

import java.util.List;

/**
 * A worker's contribution for one version of the model.
 *
 * @param loss mean loss of the worker's batch
 * @param frames the signed frames, by block; resent without changes
 */
record Answer(long run, long round, double loss, List<byte[]> frames) {
    Answer {
        frames = List.copyOf(frames);
    }

    /** The values of all frames as one vector. */
    float[] values(Slices slices) {
        return slices.whole(
                block -> Frame.read(frames.get(block)).orElseThrow().gradient().values());
    }

    /** True if this answers the given model. */
    boolean answers(ReadModel model) {
        return run == model.run() && round == model.version();
    }
}
