package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.versions.NewestVersion;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;

import java.util.List;

/**
 * A version of the model as a worker works at it.
 *
 * @param settings of the round that it opens
 * @param dealtTo among how many workers data are dealt
 * @param evaluator the worker that is asked to evaluate it, −1 if none is
 * @param work what participants do with it, empty for one gradient
 * @param blocks all of them, in order
 * @param publishedAt when the last of them was appended, the broker's milliseconds since the epoch
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
    /** The model of the one server of a run. */
    static ReadModel of(NewestVersion.Found found) {
        return of(found, found.frames().stream().map(Frame::model).toList(), found.frames().get(0));
    }

    /**
     * Combines the messages of several servers.
     *
     * @param word what says the same as enough of them
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

    /** True if it replaces another. */
    boolean newerThan(ReadModel other) {
        return run > other.run || run == other.run && version > other.version;
    }
}
