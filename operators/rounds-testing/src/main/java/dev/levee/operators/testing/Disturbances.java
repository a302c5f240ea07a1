package dev.levee.operators.testing;

/**
 * Disturbances of a driven run. All probabilities are per opportunity, from 0 to 1; draws follow
 * from the driver's seed. {@link #NONE} delays only computations.
 *
 * @param delay longest transit time of a record, virtual microseconds
 * @param overtaking true if records of one channel may also overtake each other; records of
 *     different channels always may
 * @param duplicates probability that a record is delivered twice
 * @param contradictions probability that a worker sends a second, different block right after a
 *     first
 * @param garbage probability that a record that must be refused accompanies a gradient block
 * @param forgeries probability that a broken block in a worker's name precedes its gradient block
 *     and proves the worker faulty
 * @param forgers number of workers, from id 0, for which there are forgeries
 * @param lost largest number of workers per round that lose gradient blocks
 * @param stalls probability that a computation takes a hundred times as long
 * @param checkpoints probability of a checkpoint before each event
 * @param crashes probability of a crash before each event, with a restore from the last checkpoint
 * @param mostCrashes largest number of crashes
 * @param rescaling true if a restore may change the number of subtasks
 */
public record Disturbances(
        long delay,
        boolean overtaking,
        double duplicates,
        double contradictions,
        double garbage,
        double forgeries,
        int forgers,
        int lost,
        double stalls,
        double checkpoints,
        double crashes,
        int mostCrashes,
        boolean rescaling) {
    /** No disturbances. */
    public static final Disturbances NONE =
            new Disturbances(0, false, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false);

    /** Only delays: records take up to {@code micros} virtual microseconds. */
    public static Disturbances delays(long micros) {
        return new Disturbances(micros, false, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false);
    }

    /** The same disturbances, and crashes with restores to other numbers of subtasks. */
    public Disturbances withCrashes(double checkpoints, double crashes, int mostCrashes) {
        return new Disturbances(
                delay,
                overtaking,
                duplicates,
                contradictions,
                garbage,
                forgeries,
                forgers,
                lost,
                stalls,
                checkpoints,
                crashes,
                mostCrashes,
                true);
    }
}
