package dev.levee.operators.testing;

/**
 * Disturbances of a driven run. All chances are per opportunity, from 0 to 1, and drawn from the
 * driver's seed. {@link #NONE} delays nothing but computations.
 *
 * @param delay longest time a record travels, virtual microseconds
 * @param overtaking true if records of one channel may overtake one another too; those of different
 *     channels always do
 * @param duplicates chance that a record is delivered twice
 * @param contradictions chance that a worker sends a second, different block right behind a first
 * @param garbage chance that a gradient block is accompanied by a record that must be refused
 * @param forgeries chance that a gradient block of a worker in {@code forgers} is preceded by a
 *     broken one in its name, which proves the worker faulty
 * @param forgers how many workers, from id 0, forgeries are made of
 * @param lost largest number of workers per round of whose gradient blocks are lost
 * @param stalls chance that a computation takes a hundred times as long
 * @param checkpoints chance of a checkpoint before each event
 * @param crashes chance of a crash, with restore from the last checkpoint, before each event
 * @param mostCrashes no crash happens after so many
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
    /** A quiet machine. */
    public static final Disturbances NONE =
            new Disturbances(0, false, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false);

    /** Delays only: records take up to {@code micros} virtual microseconds. */
    public static Disturbances delays(long micros) {
        return new Disturbances(micros, false, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false);
    }

    /** The same, and crashes with restores to other numbers of subtasks. */
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
