package dev.levee.jobs.internal.config.federated;

import static dev.levee.jobs.internal.config.setting.Values.named;

import dev.levee.connectors.data.Partition;
import dev.levee.federated.Algorithm;
import dev.levee.federated.Averaging;
import dev.levee.federated.LocalTraining;
import dev.levee.federated.devices.LocalTest;
import dev.levee.federated.personal.Personal;
import dev.levee.federated.steps.Correction;
import dev.levee.federated.steps.LocalOptimizer;
import dev.levee.federated.steps.LocalState;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.jobs.internal.config.setting.Setting;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.schedule.LearningRate;

import java.util.Locale;

/** The settings of a device's local training. */
public record LocalSettings(
        @Setting(
                        group = "Local training",
                        label = "N",
                        derived =
                                "30, 500 for diloco, 8 for adaalter, or 1 for cser, zeno++ and mdgan",
                        range = "[0, 1000000]",
                        told = true,
                        help =
                                "Batches that a device processes in a round; 0 for devices that only"
                                        + " score the model.")
                Integer localSteps,
        @Setting(
                        label = "X",
                        derived = "off",
                        range = "(0, 1000000]",
                        told = true,
                        help =
                                "Passes over the device's samples in a round; replaces"
                                        + " --local-steps.")
                Double localEpochs,
        @Setting(
                        label = "CHOICE",
                        fallback = "equal",
                        help = "Batches per device: equal, or linear in its capability.")
                Load load,
        @Setting(label = "N", fallback = "50", range = "[1, 1000000]", help = "Samples per batch.")
                int batchSize,
        @Setting(
                        label = "X",
                        derived =
                                "0.05, 0.0004 for diloco, 0.5 for adaalter, or 0.0002 for generators",
                        range = "(0, inf)",
                        told = true,
                        help = "The device's step size before the schedule.")
                Double learningRate,
        @Setting(
                        label = "NAME",
                        fallback = "constant",
                        told = true,
                        help =
                                "The device's step size by round: constant, step(every=1000, "
                                        + "factor=0.1), exponential(decay=0.999), inverse(decay=0.01), "
                                        + "cosine, or warmup(rounds=100) | any of these.")
                String schedule,
        @Setting(
                        label = "NAME",
                        derived = "sgd, adamw for diloco, adam for generators, or that of adaalter",
                        told = true,
                        help =
                                "The device's optimizer: sgd, adam, adamw, rmsprop, adagrad "
                                        + "or adaalter.")
                LocalOptimizer localOptimizer,
        @Setting(
                        label = "X",
                        fallback = "0",
                        range = "[0, 1)",
                        told = true,
                        help = "Momentum factor of sgd and rmsprop on the device.")
                double localMomentum,
        @Setting(
                        label = "X",
                        derived = "0.9, or 0.5 with --gan",
                        range = "[0, 1)",
                        told = true,
                        help = "β₁ of adam and adamw on the device.")
                Double localBeta1,
        @Setting(
                        label = "X",
                        derived = "1 with adaalter",
                        range = "(0, inf)",
                        help = "ε of adaalter on the device.")
                Double localEpsilon,
        @Setting(
                        label = "CHOICE",
                        derived =
                                "reset, keep for diloco, cser, fegan, fl-vanilla and mdgan, or"
                                        + " average for adaalter",
                        told = true,
                        help =
                                "The device's optimizer state after a round: reset it, keep it, or"
                                        + " average it over devices like the model.")
                LocalState localState,
        @Setting(
                        label = "MU",
                        derived = "0, or 0.01 for fedprox",
                        range = "[0, inf)",
                        told = true,
                        help =
                                "Factor of the proximal term, which keeps devices near the"
                                        + " server's model.")
                Double proximal,
        @Setting(
                        label = "NAME",
                        derived = "none, control-variates for scaffold, or dynamic(0.1) for feddyn",
                        help =
                                "What a device adds to its gradients against drift: none,"
                                        + " control-variates, or dynamic(ALPHA), FedDyn's"
                                        + " regularizer.")
                String correction,
        @Setting(
                        label = "NAME",
                        derived = "plain, normalized for fednova, or fair(1) for q-fedavg",
                        help =
                                "Scale of a device's change: plain, normalized by the number of"
                                        + " its steps, or fair(Q), by its loss to the power of Q.")
                String averaging,
        @Setting(
                        label = "NAME",
                        derived = "none",
                        told = true,
                        help =
                                "The device's own model: none, ditto(lambda=L), layers(NAMES,"
                                        + " head-steps=N) with head for the last layer,"
                                        + " pfedme(lambda=L, steps=K, rate=X) or finetune(steps=N,"
                                        + " rate=X).")
                String personal,
        @Setting(
                        label = "X",
                        derived = "off",
                        range = "(0, 1)",
                        told = true,
                        help =
                                "Share of each device's samples on which it scores models instead"
                                        + " of training. --personal without it scores on test"
                                        + " samples of the device's classes.")
                Double localTest) {
    /** Radford et al., ICLR 2016, section 4. */
    private static final double GAN_BETA1 = 0.5;

    /** How much a device computes in a round. */
    public enum Load {
        EQUAL,
        CAPABILITY
    }

    /**
     * Checks the length of local training.
     *
     * @throws IllegalArgumentException if steps and epochs are both given; one sentence
     */
    public LocalSettings {
        if (localSteps != null && localEpochs != null) {
            throw new IllegalArgumentException(
                    ("--local-steps %d and --local-epochs %s exclude each other; give one of "
                                    + "them")
                            .formatted(localSteps, localEpochs));
        }
    }

    /**
     * Fills in defaults that depend on the algorithm.
     *
     * @param adversarial true if the model is a generator with a discriminator
     * @throws IllegalArgumentException if a setting does not apply to the optimizer; one sentence
     */
    LocalSettings completed(Algorithm.Local usual, boolean adversarial) {
        LocalOptimizer optimizer =
                localOptimizer != null
                        ? localOptimizer
                        : LocalOptimizer.valueOf(usual.optimizer().toUpperCase(Locale.ROOT));
        if (!optimizer.hasMomentum()) {
            Double given = localMomentum == 0 ? null : (Double) localMomentum;
            refuse("local-momentum", given, "sgd and rmsprop", optimizer);
        }
        return new LocalSettings(
                localSteps != null || localEpochs != null
                        ? localSteps
                        : Integer.valueOf(usual.steps()),
                localEpochs,
                load,
                batchSize,
                learningRate != null ? learningRate : Double.valueOf(usual.rate()),
                schedule,
                optimizer,
                localMomentum,
                beta1(optimizer, adversarial),
                epsilon(optimizer),
                localState != null ? localState : usual.state(),
                proximal != null ? proximal : Double.valueOf(usual.proximal()),
                correction != null ? correction : usual.correction(),
                averaging != null ? averaging : usual.averaging(),
                personal,
                localTest);
    }

    /** The factor β₁, null for optimizers without it. */
    private Double beta1(LocalOptimizer optimizer, boolean adversarial) {
        if (!optimizer.hasBeta1()) {
            refuse("local-beta1", localBeta1, "adam and adamw", optimizer);
            return null;
        }
        return localBeta1 != null
                ? localBeta1
                : Double.valueOf(adversarial ? GAN_BETA1 : Optimizer.BETA1);
    }

    /** The ε of AdaAlter, null for other optimizers, whose ε is fixed. */
    private Double epsilon(LocalOptimizer optimizer) {
        if (optimizer != LocalOptimizer.ADAALTER) {
            refuse("local-epsilon", localEpsilon, "adaalter", optimizer);
            return null;
        }
        return localEpsilon != null ? localEpsilon : Double.valueOf(LocalOptimizer.EPSILON);
    }

    private static void refuse(
            String option, Double value, String owners, LocalOptimizer optimizer) {
        if (value != null) {
            throw new IllegalArgumentException(
                    "--%s is for --local-optimizer %s, got %s"
                            .formatted(option, owners, optimizer.name().toLowerCase(Locale.ROOT)));
        }
    }

    /** Creates a device's local training in a run of this many rounds. */
    LocalTraining training(long rounds) {
        return new LocalTraining(
                localSteps != null
                        ? new LocalSteps.Steps(localSteps)
                        : new LocalSteps.Epochs(localEpochs),
                load == Load.CAPABILITY,
                localOptimizer.with(
                        localMomentum,
                        localBeta1 == null ? Optimizer.BETA1 : localBeta1,
                        localEpsilon == null ? LocalOptimizer.EPSILON : localEpsilon),
                named("--schedule", () -> LearningRate.parse(schedule, learningRate, rounds)),
                proximal,
                localState,
                corrects(),
                own());
    }

    /** The personal model that a device keeps. */
    Personal own() {
        return personal == null
                ? Personal.NONE
                : named("--personal", () -> Personal.parse(personal));
    }

    /** The partition, which holds out samples of each device if they are tested. */
    Partition tested(Partition dealt) {
        return localTest == null ? dealt : new LocalTest(dealt, localTest);
    }

    /** The correction of local gradients. */
    Correction corrects() {
        return correction == null
                ? Correction.NONE
                : named("--correction", () -> Correction.parse(correction));
    }

    /** The quantity that a round averages. */
    Averaging averages() {
        return averaging == null
                ? Averaging.PLAIN
                : named("--averaging", () -> Averaging.parse(averaging));
    }

    /** The length of local training, in words. */
    public String length() {
        if (localSteps != null) {
            return localSteps + (localSteps == 1 ? " step" : " steps");
        }
        return localEpochs == 1 ? "1 epoch" : (localEpochs + " epochs").replace(".0 ", " ");
    }
}
