package dev.levee.jobs.internal.config.federated;

import dev.levee.federated.Algorithm;
import dev.levee.jobs.internal.config.setting.Setting;

/** The number of rounds, the evaluations, and the seed. */
public record LengthSettings(
        @Setting(
                        group = "Rounds",
                        label = "N",
                        derived = "100, 10 for diloco, 400 for mdgan, or 40 with --gan",
                        range = "[1, 1000000000]",
                        told = true,
                        help = "Number of rounds.")
                Long rounds,
        @Setting(
                        label = "N",
                        derived = "a twentieth of --rounds, or a tenth with --gan",
                        range = "[1, 1000000000]",
                        help = "Rounds between evaluations on the test set.")
                Integer evalInterval,
        @Setting(
                        label = "N",
                        fallback = "1",
                        range = "[0, 9007199254740991]",
                        told = true,
                        help = "Seed of all random choices.")
                long seed) {
    private static final long ROUNDS = 100;
    private static final long ISLAND_ROUNDS = 10;
    private static final long SWAPPING_ROUNDS = 400;
    private static final long GAN_ROUNDS = 40;
    private static final int TWENTIETH = 20;
    private static final int TENTH = 10;

    /**
     * Fills in defaults that depend on the algorithm.
     *
     * @param adversarial true if the model is a generator with a discriminator
     * @param swapping true if discriminators stay with the devices
     */
    LengthSettings completed(Algorithm algorithm, boolean adversarial, boolean swapping) {
        long usual =
                algorithm == Algorithm.DILOCO
                        ? ISLAND_ROUNDS
                        : swapping ? SWAPPING_ROUNDS : adversarial ? GAN_ROUNDS : ROUNDS;
        long all = rounds != null ? rounds : usual;
        int interval = (int) Math.max(1, all / (adversarial ? TENTH : TWENTIETH));
        return new LengthSettings(
                all, evalInterval != null ? evalInterval : Integer.valueOf(interval), seed);
    }
}
