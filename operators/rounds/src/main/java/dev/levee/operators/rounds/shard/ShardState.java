package dev.levee.operators.rounds.shard;

import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.training.Training;

import java.util.List;

/**
 * The state of a shard for one block. Arrays are shared with the running shard, which never writes
 * into them.
 *
 * @param version model version, which is also the number of the open round
 * @param settings settings of the open round
 * @param block the block of the model
 * @param window the rows of the open round
 * @param phase number of the last look answered in the open round
 * @param counted contributions that closed earlier rounds and might be repeated
 * @param pulled versions that participants have pulled and not answered, the oldest first
 */
public record ShardState(
        long version,
        Settings settings,
        ParameterBlock block,
        RowWindow.State window,
        int phase,
        CountedContributions counted,
        List<PulledVersions.Pulled> pulled) {

    /** The state of a run that continues from a version, with an empty round. */
    public static ShardState opening(
            Training training, int server, long version, Settings settings, ParameterBlock block) {
        return new ShardState(
                version,
                settings,
                block,
                RowWindow.State.empty(training, server, version, settings, block.values().length),
                0,
                CountedContributions.before(version),
                PulledVersions.opening(training.oracle(), version, settings, block.values()));
    }
}
