package dev.levee.federated.devices;

import dev.levee.gar.Draws;
import dev.levee.operators.rounds.plan.SampledPlan;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The available samplings. */
final class Samplings {
    static final List<Sampling> ALL =
            List.of(
                    new Uniform(),
                    new Poisson(),
                    new Balanced(true),
                    new Balanced(false),
                    new ByCapability());

    private Samplings() {}

    /**
     * A number of devices without replacement, all sets equally likely (McMahan et al.,
     * "Communication-Efficient Learning of Deep Networks from Decentralized Data", AISTATS 2017,
     * algorithm 1).
     */
    record Uniform() implements Sampling {
        @Override
        public String name() {
            return "uniform";
        }

        @Override
        public int[] sample(Request request) {
            return SampledPlan.sample(
                            request.seed(),
                            request.round(),
                            request.devices().count(),
                            request.count())
                    .ids();
        }
    }

    /**
     * Each device independently with probability q = count / devices, so the number of devices
     * varies around the count. This sampling amplifies privacy. A draw with too few rows for the
     * rule is repeated.
     */
    record Poisson() implements Sampling {
        private static final long STREAM = 0x2C8E4A6F19D35B77L;

        @Override
        public String name() {
            return "poisson";
        }

        @Override
        public boolean amplifies() {
            return true;
        }

        @Override
        public int[] sample(Request request) {
            double rate = rate(request.count(), request.devices().count());
            int[] drawn = {};
            for (long attempt = 0; drawn.length < request.least(); attempt++) {
                long key = Draws.key(request.seed(), request.round(), attempt, STREAM);
                drawn =
                        IntStream.range(0, request.devices().count())
                                .filter(device -> Draws.uniform(key, device) < rate)
                                .toArray();
            }
            return drawn;
        }
    }

    /**
     * FeGAN's balanced sampling (section 6.3 of "System Support for Robust Distributed Learning",
     * EPFL 2022): repeatedly selects a device that holds the class with the fewest seen samples,
     * until there are enough devices. Ties go to the lower class; classes that no remaining device
     * holds are skipped. Among the remaining devices that hold the class, it prefers the one asked
     * least often, then the one with the most samples, then the highest entropy of classes, then
     * the lowest id.
     *
     * @param turns false to omit the preference for devices that were asked less often, which
     *     outranks balance once every device was asked
     */
    record Balanced(boolean turns) implements Sampling {
        @Override
        public String name() {
            return turns ? "balanced" : "balanced-repeating";
        }

        @Override
        public int[] sample(Request request) {
            Census census = request.devices().census();
            long[] seen = seen(census, request.sampled());
            boolean[] taken = new boolean[census.devices()];
            int[] chosen = new int[Math.min(request.count(), census.devices())];
            for (int i = 0; i < chosen.length; i++) {
                chosen[i] = next(census, seen, taken, request.sampled());
                taken[chosen[i]] = true;
                for (int label = 0; label < seen.length; label++) {
                    seen[label] += census.count(chosen[i], label);
                }
            }
            return chosen;
        }

        private static long[] seen(Census census, int[] sampled) {
            long[] seen = new long[census.classes()];
            for (int device = 0; device < sampled.length; device++) {
                for (int label = 0; sampled[device] > 0 && label < seen.length; label++) {
                    seen[label] += (long) sampled[device] * census.count(device, label);
                }
            }
            return seen;
        }

        private int next(Census census, long[] seen, boolean[] taken, int[] sampled) {
            return IntStream.range(0, seen.length)
                    .boxed()
                    .sorted(Comparator.comparingLong(label -> seen[label]))
                    .mapToInt(label -> holder(census, label, taken, sampled))
                    .filter(device -> device >= 0)
                    .findFirst()
                    .orElseThrow();
        }

        /** The remaining device to ask for a class, −1 if none holds it. */
        private int holder(Census census, int label, boolean[] taken, int[] sampled) {
            int first = -1;
            for (int device = 0; device < taken.length; device++) {
                if (!taken[device]
                        && census.count(device, label) > 0
                        && (first < 0 || precedes(census, device, first, sampled))) {
                    first = device;
                }
            }
            return first;
        }

        /** True if a device must be asked before another one with a lower id. */
        private boolean precedes(Census census, int device, int other, int[] sampled) {
            if (turns && sampled[device] != sampled[other]) {
                return sampled[device] < sampled[other];
            }
            if (census.samples(device) != census.samples(other)) {
                return census.samples(device) > census.samples(other);
            }
            return census.entropy(device) > census.entropy(other);
        }
    }

    /**
     * Sampling without replacement, in which each draw has probabilities proportional to
     * capabilities: the devices with the largest keys u^(1/c) (Efraimidis and Spirakis, "Weighted
     * random sampling with a reservoir", Information Processing Letters 2006).
     */
    record ByCapability() implements Sampling {
        private static final long STREAM = 0x61B4D2F08A93CE15L;

        @Override
        public String name() {
            return "capability";
        }

        @Override
        public int[] sample(Request request) {
            long key = Draws.key(request.seed(), request.round(), STREAM);
            double[] keys = new double[request.devices().count()];
            for (int device = 0; device < keys.length; device++) {
                // The logarithm of u^(1/c), so that small capabilities do not underflow to 0.
                keys[device] =
                        StrictMath.log(1 - Draws.uniform(key, device))
                                / request.devices().capability(device);
            }
            return IntStream.range(0, keys.length)
                    .boxed()
                    .sorted(Comparator.comparingDouble(device -> -keys[device]))
                    .limit(request.count())
                    .mapToInt(Integer::intValue)
                    .toArray();
        }
    }
}
