package dev.levee.federated;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.federated.steps.LocalState;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.gar.Draws;
import dev.levee.operators.rounds.training.Training;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A scope in which discriminators stay on devices, which swap them at intervals, by a random
 * permutation without fixed points (Hardy, Le Merrer, Sericola, "MD-GAN: Multi-Discriminator
 * Generative Adversarial Networks for Distributed Datasets", IPDPS 2019, section IV).
 *
 * @param every number of rounds between two swaps
 */
public record Swapping(long every) implements Scope {
    private static final long STREAM = 0x51D7A3E90B64C82FL;

    /**
     * Checks the number.
     *
     * @throws dev.levee.operators.rounds.fault.WrongTrainingException if it is below 1; one
     *     sentence
     */
    public Swapping {
        require(every >= 1, "{swapEvery} must be at least 1, got %s", every);
    }

    @Override
    public void check(Federation federation, Training run) {
        require(
                federation.stepsAlongAll(run),
                "{swapEvery} is for rounds that ask all devices and wait for them, with a "
                        + "server that steps along all contributions: {perRound} must be %s, without "
                        + "{deadline} and {slices}, got %s",
                run.workers(),
                federation.participation().perRound());
        LocalTraining local = federation.local();
        require(
                local.steps() instanceof LocalSteps.Steps && !local.byCapability(),
                "{swapEvery} needs {localSteps}, the same for every device");
        require(
                local.state() == LocalState.KEEP
                        && local.proximal() == 0
                        && federation.privacy().none(),
                "{swapEvery} is for discriminators that stay with their devices: {localState} keep,"
                        + " without {proximal} and {dpClip}");
    }

    /** The device of each discriminator after a number of swaps. */
    record Places(long swaps, int[] devices) {
        /** Each discriminator is on its first device. */
        static Places first(int count) {
            return new Places(0, IntStream.range(0, count).toArray());
        }

        /** The places after a number of swaps, at least as many as now. */
        Places after(long wanted, long seed) {
            int[] at = devices;
            for (long swap = swaps; swap < wanted; swap++) {
                int[] to = derangement(at.length, seed, swap);
                at = Arrays.stream(at).map(device -> to[device]).toArray();
            }
            return new Places(wanted, at);
        }
    }

    /**
     * A uniformly random permutation without fixed points; for one device, which has none, the
     * identity.
     */
    static int[] derangement(int count, long seed, long swap) {
        SplittableRandom random = new SplittableRandom(Draws.key(seed, STREAM, swap));
        int[] order = IntStream.range(0, count).toArray();
        boolean fixed = count > 1;
        while (fixed) {
            for (int i = count - 1; i > 0; i--) {
                int j = random.nextInt(i + 1);
                int swapped = order[i];
                order[i] = order[j];
                order[j] = swapped;
            }
            int[] drawn = order;
            fixed = IntStream.range(0, count).anyMatch(i -> drawn[i] == i);
        }
        return order;
    }
}
