package dev.levee.jobs.internal.config.federated;

import static dev.levee.jobs.internal.config.setting.Values.named;

import dev.levee.federated.Algorithm;
import dev.levee.federated.PartialSync;
import dev.levee.federated.Scope;
import dev.levee.federated.Swapping;
import dev.levee.federated.compression.Compression;
import dev.levee.jobs.internal.config.setting.Setting;

/** The part of the model that a round synchronizes. */
public record ScopeSettings(
        @Setting(
                        group = "Slices",
                        label = "R",
                        derived = "off, or 8 for cser",
                        range = "[1, 1000000]",
                        help = "Number of slices of the model; a round synchronizes one of them.")
                Integer slices,
        @Setting(
                        label = "N",
                        derived = "--slices over --reset-slices",
                        range = "[1, 1000000]",
                        help = "Rounds after which a larger slice is synchronized instead.")
                Integer resetEvery,
        @Setting(
                        label = "R",
                        derived = "2 with --slices",
                        range = "[1, 1000000]",
                        help = "Number of larger slices of the model.")
                Integer resetSlices,
        @Setting(
                        label = "NAME",
                        derived = "none",
                        help =
                                "Code of a device's change: none, topk(share=S),"
                                        + " qsgd(levels=S, bucket=N) or powersgd(rank=R).")
                String compress,
        @Setting(
                        group = "Local training",
                        label = "N",
                        derived = "off, or 20 for mdgan",
                        range = "[1, 1000000000]",
                        help =
                                "With --gan: train only the discriminators on the devices,"
                                        + " and exchange them after this many rounds.")
                Long swapEvery) {
    private static final int SLICES = 8;
    private static final int RESET_SLICES = 2;
    private static final long SWAP_EVERY = 20;

    /**
     * Fills in defaults that depend on the algorithm.
     *
     * @throws IllegalArgumentException if a setting has no effect without another; one sentence
     */
    ScopeSettings completed(Algorithm algorithm, DataSettings data) {
        Integer parts =
                slices == null && algorithm == Algorithm.CSER ? Integer.valueOf(SLICES) : slices;
        if (parts == null && (resetEvery != null || resetSlices != null)) {
            throw new IllegalArgumentException(
                    "--reset-every and --reset-slices are for runs with --slices");
        }
        Integer larger =
                resetSlices == null && parts != null ? Integer.valueOf(RESET_SLICES) : resetSlices;
        Integer every =
                resetEvery == null && parts != null
                        ? Integer.valueOf(Math.max(1, parts / larger))
                        : resetEvery;
        Long swap =
                swapEvery == null && algorithm == Algorithm.MDGAN
                        ? Long.valueOf(SWAP_EVERY)
                        : swapEvery;
        if (swap != null && !data.adversarial()) {
            throw new IllegalArgumentException(
                    "--swap-every is for discriminators: it needs --gan instead of --model "
                            + data.model());
        }
        return new ScopeSettings(parts, every, larger, compress, swap);
    }

    /** The compression of contributions. */
    Compression compression() {
        return compress == null
                ? Compression.NONE
                : named("--compress", () -> Compression.parse(compress));
    }

    /** True if discriminators stay with the devices. */
    boolean swapping() {
        return swapEvery != null;
    }

    /** The average share of the model that a round transfers. */
    public double share() {
        return slices == null ? 1 : new PartialSync(slices, resetEvery, resetSlices).share();
    }

    /**
     * The part of the model that a round synchronizes.
     *
     * @throws IllegalArgumentException if slices are combined with discriminators that stay with
     *     devices; one sentence
     */
    Scope scope() {
        if (swapping() && slices != null) {
            throw new IllegalArgumentException(
                    "--swap-every and --slices exclude each other: the first synchronizes "
                            + "the whole generator, the second a part of the model");
        }
        return swapping()
                ? new Swapping(swapEvery)
                : slices != null ? new PartialSync(slices, resetEvery, resetSlices) : Scope.WHOLE;
    }
}
