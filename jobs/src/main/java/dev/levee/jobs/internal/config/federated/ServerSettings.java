package dev.levee.jobs.internal.config.federated;

import static dev.levee.jobs.internal.config.setting.Values.named;

import dev.levee.federated.Algorithm;
import dev.levee.federated.steps.ServerSteps;
import dev.levee.jobs.internal.config.setting.Setting;
import dev.levee.operators.rounds.training.ServerStep;

/** The server's optimization step. */
public record ServerSettings(
        @Setting(
                        group = "Server",
                        label = "STEP",
                        derived = "sgd, or that of --algorithm",
                        help =
                                "The server's optimizer: sgd, momentum(MU), nesterov(MU), "
                                        + "adam(BETA1, BETA2, TAU), yogi(…), adagrad(BETA1, TAU), or "
                                        + "mix, which mixes in the devices' models.")
                String serverStep,
        @Setting(
                        label = "X",
                        derived = "1, or that of --algorithm",
                        range = "(0, inf)",
                        help = "The server's step size.")
                Double serverRate) {
    /** Fills in defaults that depend on the algorithm. */
    ServerSettings completed(Algorithm.Server usual) {
        return new ServerSettings(
                serverStep != null ? serverStep : usual.step(),
                serverRate != null ? serverRate : Double.valueOf(usual.rate()));
    }

    /** True if the server mixes models instead of taking a gradient step. */
    boolean mixes() {
        return serverStep.strip().equals("mix");
    }

    ServerStep step() {
        return named("--server-step", () -> ServerSteps.parse(serverStep, serverRate));
    }
}
