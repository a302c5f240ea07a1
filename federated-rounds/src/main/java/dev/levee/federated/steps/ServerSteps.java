package dev.levee.federated.steps;

import dev.levee.gar.Arguments;
import dev.levee.gar.NamedParser;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.training.ServerStep;

/**
 * Steps of a server along g, the mean of the devices' contributions, which is minus the mean Δ of
 * their changes.
 */
public final class ServerSteps {
    private static final double MOMENTUM = 0.9;

    private ServerSteps() {}

    /**
     * Reads {@code sgd}, {@code momentum(MU)}, {@code nesterov(MU)}, {@code adam(BETA1, BETA2,
     * TAU)}, {@code yogi(…)} with the same parameters, {@code adagrad(BETA1, TAU)} or {@code mix};
     * those before {@code mix} also take {@code v0} and {@code bias-correction}. Parameters may be
     * omitted.
     *
     * @throws IllegalArgumentException if the text has no known form; one sentence
     */
    static Optimizer parse(String text) {
        return new NamedParser<Optimizer>("server step")
                .add("sgd", a -> Optimizer.of(OptimizerKind.SGD, 0))
                .add("momentum", a -> Optimizer.of(OptimizerKind.SGD, factor(a, MOMENTUM)), "mu")
                .add("nesterov", a -> new Nesterov(factor(a, MOMENTUM)), "mu")
                .add("adam", a -> adaptive(a, Adaptive.Second.ADAM, 0.9), PARAMETERS)
                .add("yogi", a -> adaptive(a, Adaptive.Second.YOGI, 0.9), PARAMETERS)
                .add(
                        "adagrad",
                        a -> adaptive(a, Adaptive.Second.ADAGRAD, 0),
                        "beta1",
                        "tau",
                        "v0",
                        "bias-correction")
                .add("mix", a -> new Mixing())
                .parse(text);
    }

    /**
     * Reads a step with a constant step size.
     *
     * @param text as for {@link #parse}
     * @throws IllegalArgumentException if the text has no known form; one sentence
     */
    public static ServerStep parse(String text, double rate) {
        return new ServerStep(parse(text), LearningRate.parse("constant", rate, 1));
    }

    private static final String[] PARAMETERS = {"beta1", "beta2", "tau", "v0", "bias-correction"};

    private static double factor(Arguments arguments, double otherwise) {
        double mu = arguments.number("mu", otherwise);
        if (!(mu >= 0 && mu < 1)) {
            throw new IllegalArgumentException(
                    "%s: mu must be a number of at least 0 and below 1, got %s"
                            .formatted(arguments.name(), Arguments.text(mu)));
        }
        return mu;
    }

    private static Optimizer adaptive(Arguments arguments, Adaptive.Second second, double beta1) {
        double tau = arguments.number("tau", Adaptive.TAU);
        return new Adaptive(
                second,
                arguments.number("beta1", beta1),
                arguments.number("beta2", Adaptive.BETA2),
                tau,
                arguments.number("v0", tau * tau),
                arguments.flag("bias-correction"));
    }
}
