package dev.levee.operators.testing.driver;

import dev.levee.operators.rounds.RunFailedException;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.testing.BrokenInvariantException;
import dev.levee.operators.testing.Changes;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.Drive;
import dev.levee.operators.testing.DrivenRun;
import dev.levee.operators.testing.GradientSource;

import java.util.ArrayList;
import java.util.List;

/**
 * Runs a training in one thread without a cluster, on the very classes that the operators run: the
 * parameter shards, the coordinator, the workers and the adversary, with the channels of the
 * dataflow and its loop edge between them, in virtual time. Everything that happens is a function
 * of the training and one seed, crashes included, so a run that goes wrong can be repeated. Every
 * run is checked against the promises of the round protocol.
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
     * A driver of one training.
     *
     * @param seed the seed of the schedule; the training has its own
     */
    public static RoundDriver of(Training training, long seed) {
        return new RoundDriver(training, seed);
    }

    /** Cuts the model this way instead of into blocks of the usual size. */
    public RoundDriver slices(Slices cut) {
        slices = cut;
        return this;
    }

    /** Starts from this flat vector instead of the model's initial parameters. */
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

    /** Sets changes of an elastic run from outside. */
    public RoundDriver changes(Changes what) {
        changes = what;
        return this;
    }

    /** Over how many subtasks the workers are spread at first. */
    public RoundDriver subtasks(int count) {
        subtasks = count;
        return this;
    }

    /** Keeps a line for everything that happens. */
    public RoundDriver logged() {
        logged = true;
        return this;
    }

    /**
     * Runs until everything has come to rest.
     *
     * @throws RunFailedException if a round has more proven faults than f
     * @throws BrokenInvariantException if the protocol did not keep what it promises
     * @throws IllegalArgumentException if there is no gradient source
     */
    public DrivenRun run() {
        return run(new ArrayList<>());
    }

    /** Runs, and leaves the log in a list of the caller's even if the run fails. */
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
