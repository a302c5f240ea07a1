package dev.levee.federated.steps;

import java.io.Serializable;

/** How many batches a device computes on in a round. */
public sealed interface LocalSteps extends Serializable {
    /**
     * The number for one device, at least 1.
     *
     * @param samples that it holds
     * @param batchSize samples of a batch
     */
    int count(long samples, int batchSize);

    /**
     * As many for every device.
     *
     * @param steps how many, at least 1
     */
    record Steps(int steps) implements LocalSteps {
        /**
         * Checks the number.
         *
         * @throws IllegalArgumentException if it is below 1; one sentence
         */
        public Steps {
            if (steps < 1) {
                throw new IllegalArgumentException("local steps must be at least 1, got " + steps);
            }
        }

        @Override
        public int count(long samples, int batchSize) {
            return steps;
        }
    }

    /**
     * So many passes over the device's own samples, in whole batches: the last one goes on into the
     * next pass.
     *
     * @param epochs how many, above 0
     */
    record Epochs(double epochs) implements LocalSteps {
        /**
         * Checks the number.
         *
         * @throws IllegalArgumentException if it is not above 0; one sentence
         */
        public Epochs {
            if (!(epochs > 0 && epochs < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "local epochs must be a number above 0, got " + epochs);
            }
        }

        @Override
        public int count(long samples, int batchSize) {
            return Math.toIntExact(Math.max(1, (long) Math.ceil(epochs * samples / batchSize)));
        }
    }
}
