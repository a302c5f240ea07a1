package dev.levee.federated;

import static dev.levee.operators.rounds.WrongTrainingException.require;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.operators.rounds.Batches;
import dev.levee.operators.rounds.SampledPlan;
import dev.levee.operators.rounds.Training;
import dev.levee.operators.rounds.TrainingBuilder;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.schedule.LearningRate;

import java.io.Serializable;
import java.util.OptionalDouble;

/**
 * A federated algorithm: who is asked in a round, what devices do, how much each counts, and how
 * the server steps along the mean of what they send.
 *
 * @param sampling who is asked
 * @param perRound how many
 * @param capabilities how fast devices compute
 * @param local what a device does
 * @param weighting how much a device counts
 * @param server the server's step
 * @param serverRate its step size
 * @param privacy what is done so that a run says little of one device
 */
public record Federation(
        Sampling sampling,
        int perRound,
        Capabilities capabilities,
        LocalTraining local,
        Weighting weighting,
        Optimizer server,
        double serverRate,
        Privacy privacy)
        implements Serializable {

    /**
     * Checks what can be checked without opening the data.
     *
     * @param run as {@link #of} takes it
     * @throws dev.levee.operators.rounds.WrongTrainingException if something is wrong; one
     *     sentence, which names parts of this record and of the run
     */
    public void check(Training run) {
        require(
                perRound >= 1 && perRound <= run.workers(),
                "{perRound} must be from 1 to {workers}, which is %s, got %s",
                run.workers(),
                perRound);
        require(
                weighting == Weighting.EQUAL || run.rule().takesWeights(),
                "{weighting} must be equal for %s, which takes no weights, got %s",
                run.rule().name(),
                weighting.word());
        privacy.check(run, sampling, perRound, weighting);
        with(new TrainingBuilder(run).plan(new SampledPlan(perRound))).build();
    }

    /**
     * What a run that {@link #of} made knows of its devices.
     *
     * @throws IllegalArgumentException if it is no such run
     */
    public static Devices devices(Training run) {
        return plan(run).devices();
    }

    /**
     * How much each device counts in a run that {@link #of} made.
     *
     * @throws IllegalArgumentException if it is no such run
     */
    public static double[] weights(Training run) {
        return work(run).weights();
    }

    /**
     * Samples that a device computes on in a round of a run that {@link #of} made.
     *
     * @throws IllegalArgumentException if it is no such run
     */
    public static long samples(Training run, int device) {
        return (long) work(run).steps(device) * run.data().batchSize();
    }

    private static LocalWork work(Training run) {
        if (run.work() instanceof LocalWork work) {
            return work;
        }
        throw new IllegalArgumentException(run.runId() + " is no federated run");
    }

    /**
     * ε at the δ of this algorithm's privacy after all rounds of a run, empty without noise.
     *
     * @param run as {@link #of} takes it
     */
    public OptionalDouble epsilon(Training run) {
        return privacy.epsilon(sampling, perRound, run.workers(), run.rounds());
    }

    /**
     * ε after all rounds of a run that {@link #of} made, empty without noise.
     *
     * @throws IllegalArgumentException if it is no such run
     */
    public static OptionalDouble spent(Training run) {
        return privacy(run)
                .epsilon(plan(run).sampling(), plan(run).perRound(), run.workers(), run.rounds());
    }

    /**
     * How private a run is that {@link #of} made.
     *
     * @throws IllegalArgumentException if it is no such run
     */
    public static Privacy privacy(Training run) {
        return work(run).privacy();
    }

    /** True if {@link #of} made this run. */
    public static boolean made(Training run) {
        return run.plan() instanceof DevicePlan;
    }

    /**
     * The name of the sampling of a run that {@link #of} made.
     *
     * @throws IllegalArgumentException if it is no such run
     */
    public static String sampling(Training run) {
        return plan(run).sampling().name();
    }

    private static DevicePlan plan(Training run) {
        if (run.plan() instanceof DevicePlan plan) {
            return plan;
        }
        throw new IllegalArgumentException(run.runId() + " is no federated run");
    }

    private TrainingBuilder with(TrainingBuilder run) {
        return run.optimizer(server).learningRate(LearningRate.parse("constant", serverRate, 1));
    }

    /**
     * A run of this algorithm. Opens the data, to count what each device holds.
     *
     * @param run says everything else: model, data, number of devices (its workers), rule, rounds,
     *     batch, seed
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public Training of(Training run) {
        check(run);
        int buffers = run.model().layout().size() - run.model().layout().trainable();
        require(
                !privacy.noisy() || buffers == 0,
                "{dpNoise} is for models without buffers, which are neither clipped nor drowned in"
                        + " noise: {model} %s has %s",
                run.model().name(),
                buffers);
        Dataset data = Datasets.open(run.data().uri(), Datasets.Split.TRAIN);
        Census census = Census.of(data, Batches.shares(run, data));
        Devices devices = new Devices(census, capabilities.draw(census.devices(), run.seed()));
        int[] steps = local.steps(devices, run.data().batchSize());
        return with(new TrainingBuilder(run))
                .plan(new DevicePlan(sampling, perRound, devices))
                .work(
                        new LocalWork(
                                local,
                                steps,
                                weighting.weights(census, steps),
                                privacy,
                                run.seed()))
                .build();
    }
}
