package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.versions.NewestVersion;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;

import java.util.List;

/**
 * A complete version of the model, as a worker uses it.
 *
 * @param settings the settings of the round that the version opens
 * @param dealtTo number of workers that share the data
 * @param evaluator the worker that is to evaluate the version, −1 for none
 * @param work the work of participants, empty for one gradient
 * @param blocks all blocks, in order
 * @param publishedAt when the last block was appended, the broker's milliseconds since the epoch
 */
record ReadModel(
        long run,
        long version,
        Settings settings,
        int dealtTo,
        int evaluator,
        String work,
        List<ModelBlock> blocks,
        long publishedAt) {
    /** The model of a run with one server. */
    static ReadModel of(NewestVersion.Found found) {
        return of(found, found.frames().stream().map(Frame::model).toList(), found.frames().get(0));
    }

    /**
     * A model combined from several servers.
     *
     * @param word a frame with the settings on which enough servers agree
     */
    static ReadModel of(NewestVersion.Found found, List<ModelBlock> blocks, Frame word) {
        return new ReadModel(
                found.run(),
                found.version(),
                word.settings(),
                word.participants(),
                word.evaluator(),
                word.work(),
                blocks,
                found.publishedAt());
    }

    /** True if this model is newer than another. */
    boolean newerThan(ReadModel other) {
        return run > other.run || run == other.run && version > other.version;
    }
}
