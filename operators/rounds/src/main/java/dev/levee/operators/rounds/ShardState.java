package dev.levee.operators.rounds;

/**
 * Everything a parameter shard has to remember of one block. Arrays are shared with the running
 * shard, which never writes into them.
 *
 * @param version model version, which is also the number of the open round
 * @param settings settings of the open round
 * @param values the block of the model
 * @param moments the optimizer's vectors
 * @param previous the last aggregate, null if zero or not needed
 * @param rows rows of the open round by worker, null where missing
 * @param refused workers whose row of the open round was refused
 * @param phase number of the last look answered in the open round
 * @param lastRows workers whose rows closed the previous round
 */
public record ShardState(
        long version,
        Settings settings,
        float[] values,
        float[][] moments,
        float[] previous,
        float[][] rows,
        boolean[] refused,
        int phase,
        int[] lastRows) {

    /**
     * The state in which a version opens a round, when nothing but what belongs to it is known.
     *
     * @param previous the last aggregate, null if zero or not needed
     */
    public static ShardState adopted(
            long version,
            Settings settings,
            float[] values,
            float[][] moments,
            float[] previous,
            int workers) {
        return new ShardState(
                version,
                settings,
                values,
                moments,
                previous,
                new float[workers][],
                new boolean[workers],
                0,
                new int[0]);
    }

    /** The state before the first round. */
    static ShardState initial(Settings settings, float[] values, int moments, int workers) {
        return new ShardState(
                0,
                settings,
                values,
                new float[moments][values.length],
                null,
                new float[workers][],
                new boolean[workers],
                0,
                new int[0]);
    }
}
