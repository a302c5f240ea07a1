package dev.levee.federated.steps;

import java.io.Serializable;

/** The number of batches that a device computes on in a round. */
public sealed interface LocalSteps extends Serializable {
    /**
     * The number for one device.
     *
     * @param samples number of samples that it holds
     * @param batchSize samples of a batch
     */
    int count(long samples, int batchSize);

    /** True if devices do not train. */
    default boolean none() {
        return false;
    }

    /**
     * The same number for every device.
     *
     * @param steps the number; 0 if devices score the model and do not train
     */
    record Steps(int steps) implements LocalSteps {
        /**
         * Checks the number.
         *
         * @throws IllegalArgumentException if it is negative; one sentence
         */
        public Steps {
            if (steps < 0) {
                throw new IllegalArgumentException("local steps must be at least 0, got " + steps);
            }
        }

        @Override
        public int count(long samples, int batchSize) {
            return steps;
        }

        @Override
        public boolean none() {
            return steps == 0;
        }
    }

    /**
     * A number of passes over the device's own samples, in whole batches; the last batch continues
     * into the next pass.
     *
     * @param epochs number of passes, above 0
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
