package dev.levee.operators.testing.driver;

import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;
import dev.levee.operators.testing.BrokenInvariantException;
import dev.levee.operators.testing.Changes;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.Drive;
import dev.levee.operators.testing.DrivenRun;
import dev.levee.operators.testing.GradientSource;

import java.util.ArrayList;
import java.util.List;

/**
 * Runs a training in one thread and in virtual time, without a cluster. It uses the classes that
 * the operators run: the parameter shards, the coordinator, the workers and the adversary. The
 * channels of the dataflow and its loop edge connect them. All events, crashes included, are a
 * function of the training and one seed, so a failing run can be repeated. Every run is checked
 * against the invariants of the round protocol.
 *
 * <pre>{@code
 * DrivenRun run =
 *         RoundDriver.of(training, 42)
 *                 .gradients(task -> new Gradient(myGradient(task.parameters()), Double.NaN))
 *                 .disturbances(Disturbances.delays(500).withCrashes(0.01, 0.005, 3))
 *                 .run();
 * }</pre>
 */
public final class RoundDriver {
    private static final long RUN = 1;

    private final Training training;
    private final long seed;
    private Slices slices;
    private float[] initial;
    private GradientSource gradients;
    private Disturbances disturbances = Disturbances.NONE;
    private Changes changes = Changes.NONE;
    private int subtasks = 2;
    private boolean logged;

    private RoundDriver(Training training, long seed) {
        this.training = training;
        this.seed = seed;
    }

    /**
     * Creates a driver of one training.
     *
     * @param seed the seed of the schedule; the training has its own
     */
    public static RoundDriver of(Training training, long seed) {
        return new RoundDriver(training, seed);
    }

    /** Sets the division of the model into blocks; by default, they have the usual size. */
    public RoundDriver slices(Slices cut) {
        slices = cut;
        return this;
    }

    /** Sets the initial flat vector, in place of the model's initial parameters. */
    RoundDriver initial(float[] parameters) {
        initial = parameters.clone();
        return this;
    }

    /** Sets the source of gradients; required. */
    public RoundDriver gradients(GradientSource source) {
        gradients = source;
        return this;
    }

    /** Sets the disturbances of the run. */
    public RoundDriver disturbances(Disturbances what) {
        disturbances = what;
        return this;
    }

    /** Sets outside changes of an elastic run. */
    public RoundDriver changes(Changes what) {
        changes = what;
        return this;
    }

    /** Sets the initial number of subtasks for the workers. */
    public RoundDriver subtasks(int count) {
        subtasks = count;
        return this;
    }

    /** Keeps a log with a line for each event. */
    public RoundDriver logged() {
        logged = true;
        return this;
    }

    /**
     * Runs until no event is left.
     *
     * @throws RunFailedException if a round has more proven faults than f
     * @throws BrokenInvariantException if the protocol violated an invariant
     * @throws IllegalArgumentException if there is no gradient source
     */
    public DrivenRun run() {
        return run(new ArrayList<>());
    }

    /** Runs and writes the log to a list of the caller, even if the run fails. */
    public DrivenRun run(List<String> log) {
        if (gradients == null) {
            throw new IllegalArgumentException("a driven run needs a gradient source");
        }
        Drive plan =
                new Drive(
                        training,
                        RUN,
                        slices == null ? Slices.of(training.model().layout()) : slices,
                        initial == null
                                ? training.model().initialParameters(training.seed())
                                : initial,
                        gradients,
                        disturbances,
                        changes);
        return new VirtualRun(plan, subtasks, seed, logged ? log : null).run();
    }
}
