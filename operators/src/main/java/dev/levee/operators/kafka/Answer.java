package dev.levee.operators.kafka;

import java.util.List;

/**
 * What a worker sends for one version of the model.
 *
 * @param loss mean loss of its batch
 * @param frames by block; sent again as they are
 */
record Answer(long run, long round, double loss, List<byte[]> frames) {
    Answer {
        frames = List.copyOf(frames);
    }
}
