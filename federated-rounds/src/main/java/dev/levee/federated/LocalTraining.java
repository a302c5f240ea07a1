package dev.levee.federated;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.federated.devices.Devices;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.personal.MoreauEnvelopes;
import dev.levee.federated.personal.Personal;
import dev.levee.federated.steps.AdaAlter;
import dev.levee.federated.steps.Correction;
import dev.levee.federated.steps.LocalState;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.training.Training;

import java.io.Serializable;
import java.util.Locale;

/**
 * The training of a device.
 *
 * @param steps number of batches in a round
 * @param byCapability true if the number of batches is proportional to a device's capability, so
 *     the most capable device computes all of them
 * @param optimizer the optimizer
 * @param rate step size, by round
 * @param proximal μ of the term (μ/2)·‖w − x‖² that keeps a device near the server's model
 *     (FedProx, Li et al. 2020), 0 for none
 * @param state the use of the optimizer's vectors after a round
 * @param correction the correction of its gradients
 * @param personal the device's own model
 */
public record LocalTraining(
        LocalSteps steps,
        boolean byCapability,
        Optimizer optimizer,
        LearningRate rate,
        double proximal,
        LocalState state,
        Correction correction,
        Personal personal)
        implements Serializable {
    private static final Optimizer PLAIN = Optimizer.of(OptimizerKind.SGD, 0);

    /**
     * Checks the proximal term.
     *
     * @throws IllegalArgumentException if it is negative; one sentence
     */
    public LocalTraining {
        if (!(proximal >= 0 && proximal < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "a proximal term must be a number of at least 0, got " + proximal);
        }
    }

    /** Local training of the server's whole model without a correction. */
    public LocalTraining(
            LocalSteps steps,
            boolean byCapability,
            Optimizer optimizer,
            LearningRate rate,
            double proximal,
            LocalState state) {
        this(steps, byCapability, optimizer, rate, proximal, state, Correction.NONE, Personal.NONE);
    }

    /** Plain steps of constant size without state between rounds, as in FedAvg. */
    public static LocalTraining sgd(LocalSteps steps, double rate) {
        return new LocalTraining(
                steps,
                false,
                Optimizer.of(OptimizerKind.SGD, 0),
                LearningRate.parse("constant", rate, 1),
                0,
                LocalState.RESET);
    }

    /** The same training with another treatment of the optimizer's state after a round. */
    public LocalTraining with(LocalState other) {
        return new LocalTraining(
                steps, byCapability, optimizer, rate, proximal, other, correction, personal);
    }

    /** The same training with another correction. */
    public LocalTraining with(Correction other) {
        return new LocalTraining(
                steps, byCapability, optimizer, rate, proximal, state, other, personal);
    }

    /** The same training with another own model. */
    public LocalTraining with(Personal other) {
        return new LocalTraining(
                steps, byCapability, optimizer, rate, proximal, state, correction, other);
    }

    /**
     * Checks that this training is compatible with an algorithm and a run.
     *
     * @throws dev.levee.operators.rounds.fault.WrongTrainingException if not; one sentence
     */
    void check(Federation federation, Training run) {
        if (run.model().ownLoop()) {
            checkOwnLoop(federation, run.model().name());
        }
        boolean averaged = state == LocalState.AVERAGE;
        require(
                averaged || !(optimizer instanceof AdaAlter),
                "{localState} must be average for {localOptimizer} adaalter, whose rounds "
                        + "start with the same denominators on all devices, got %s",
                state.name().toLowerCase(Locale.ROOT));
        require(
                !averaged
                        || !(federation.timing() instanceof WithoutBarrier)
                                && federation.privacy().none(),
                "{localState} average is for rounds with a barrier in which devices send "
                        + "whole models, without {dpClip}");
        require(
                !averaged || optimizer.carried() > 0,
                "{localState} average needs a {localOptimizer} with state to average, such "
                        + "as adaalter, adam, or sgd with {localMomentum}");
        if (!correction.equals(Correction.NONE)) {
            checkCorrected(federation, run);
        }
        if (steps.none()) {
            checkUntrained(federation);
        }
        if (!personal.equals(Personal.NONE)) {
            checkPersonal();
        }
    }

    /** Checks devices that only score the model that they receive. */
    private void checkUntrained(Federation federation) {
        require(
                correction.equals(Correction.NONE)
                        && personal.equals(Personal.NONE)
                        && federation.averaging().equals(Averaging.PLAIN)
                        && federation.scope().equals(Scope.WHOLE)
                        && federation.privacy().none()
                        && state != LocalState.AVERAGE,
                "{localSteps} 0 is for devices that score the model and send no change, without"
                        + " {correction}, {personal}, {averaging}, {slices}, {dpClip} and"
                        + " {localState} average");
    }

    private void checkPersonal() {
        String name = personal.name();
        boolean plain = optimizer.equals(PLAIN) && proximal == 0;
        require(
                !personal.shared() || correction.equals(Correction.NONE),
                "{personal} %s is for devices without {correction}, got %s",
                name,
                correction.name());
        require(
                !(personal instanceof MoreauEnvelopes) || plain,
                "{personal} %s has steps of its own: it needs {localOptimizer} sgd without"
                        + " {localMomentum} and {proximal}",
                name);
        require(
                personal.partialSteps() == 0 || plain,
                "{personal} %s steps along a part of the gradient: it needs {localOptimizer} sgd"
                        + " without {localMomentum} and {proximal}",
                name);
        require(
                !(steps instanceof LocalSteps.Steps fixed)
                        || personal.partialSteps() < fixed.steps(),
                "{personal} %s leaves no step for the shared layers: {localSteps} must be above"
                        + " its head-steps",
                name);
        require(
                !personal.shared() || state != LocalState.AVERAGE,
                "{personal} %s is for devices whose optimizer's state stays there, without"
                        + " {localState} average",
                name);
    }

    /**
     * Checks a correction, for which the states of the server and of the devices must stay
     * consistent.
     */
    private void checkCorrected(Federation federation, Training run) {
        String name = correction.name();
        require(
                optimizer.moments() == 0 && !optimizer.adaptive() && proximal == 0,
                "{correction} %s is for {localOptimizer} sgd without {localMomentum} and"
                        + " {proximal}",
                name);
        require(
                run.rule().averages() && run.byzantine() == 0,
                "{correction} %s needs {rule} average without {byzantine}, because the server's"
                        + " correction must be the mean of the devices', got %s with f = %s",
                name,
                run.rule().name(),
                run.byzantine());
        require(
                federation.participation().weighting() == Weighting.EQUAL,
                "{correction} %s needs {weighting} equal, got %s",
                name,
                federation.participation().weighting().word());
        require(
                federation.timing().takesAllAsked() && run.admission().waits(),
                "{correction} %s is for rounds that wait for all asked devices, without {deadline},"
                        + " {minDevices} and {roundTimeout}",
                name);
        require(
                federation.privacy().none()
                        && federation.sendsChanges()
                        && federation.averaging().equals(Averaging.PLAIN),
                "{correction} %s is for devices that send their whole change as it is, without"
                        + " {dpClip}, {slices}, {swapEvery}, {averaging} and {optimizer} mix",
                name);
        require(
                correction.proximal() == 0
                        || federation.server().optimizer().equals(PLAIN)
                                && !federation.participation().sampling().name().equals("poisson"),
                "{correction} %s needs {optimizer} sgd, which it changes, and rounds that ask a"
                        + " fixed number of devices, without {sampling} poisson",
                name);
    }

    /** Refuses settings that the model's own loop decides. */
    private void checkOwnLoop(Federation federation, String model) {
        require(
                optimizer.moments() == 0,
                "{localOptimizer} must be sgd without {localMomentum}, because {model} %s has its"
                        + " own train(), which has its own optimizer",
                model);
        require(
                proximal == 0,
                "{proximal} must be 0, because {model} %s has its own train(), which defines its"
                        + " own loss; got %s",
                model,
                proximal);
        Averaging averaging = federation.averaging();
        requireSteps(
                correction.equals(Correction.NONE), "{correction} " + correction.name(), model);
        requireSteps(state != LocalState.AVERAGE, "{localState} average", model);
        requireSteps(personal.equals(Personal.NONE), "{personal} " + personal.name(), model);
        requireSteps(averaging.equals(Averaging.PLAIN), "{averaging} " + averaging.name(), model);
        requireSteps(!steps.none(), "{localSteps} 0", model);
    }

    private static void requireSteps(boolean without, String part, String model) {
        require(without, part + " is for Levee's own steps; {model} %s has its own train()", model);
    }

    /** True if devices score models: their own, or the server's. */
    boolean scores() {
        return steps.none() || !personal.equals(Personal.NONE);
    }

    /** Number of vectors that follow the model: first the optimizer's, then the correction's. */
    public int carried() {
        return averaged() + correction.carried();
    }

    /** Number of the optimizer's vectors that follow the model. */
    int averaged() {
        return state == LocalState.AVERAGE ? optimizer.carried() : 0;
    }

    /** The number of steps of each device. */
    int[] steps(Devices devices, int batchSize) {
        double most = 0;
        for (int device = 0; device < devices.count(); device++) {
            most = Math.max(most, devices.capability(device));
        }
        int[] counts = new int[devices.count()];
        for (int device = 0; device < counts.length; device++) {
            int all = steps.count(devices.census().samples(device), batchSize);
            counts[device] =
                    byCapability && all > 0
                            ? Math.max(1, (int) Math.round(all * devices.capability(device) / most))
                            : all;
        }
        return counts;
    }
}
