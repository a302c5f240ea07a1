package dev.levee.operators.rounds.plan;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Rules for rounds whose batch size differs from the reference: what progress such a round makes,
 * in rounds at the reference, and its step size.
 */
public enum BatchScaling {
    /**
     * By the gradient's noise scale φ: a round with batch B counts as (φ/B₀ + 1) / (φ/B + 1), its
     * gain, and the step size is multiplied by the gain (Johnson et al. 2020, "AdaScale SGD", §3),
     * or by its square root if the optimizer normalizes gradients.
     */
    ADASCALE {
        @Override
        double gain(double batch, double reference, double noise) {
            if (Double.isNaN(noise)) {
                // The smallest gain for any noise scale.
                return Math.min(1, batch / reference);
            }
            return (noise / reference + 1) / (noise / batch + 1);
        }

        @Override
        double batch(double gain, double reference, double noise) {
            if (Double.isNaN(noise)) {
                return gain * reference;
            }
            double left = (noise / reference + 1) / gain - 1;
            return left > 0 ? noise / left : Double.POSITIVE_INFINITY;
        }

        @Override
        double rate(double batch, double reference, double noise, boolean adaptive) {
            double gain = gain(batch, reference, noise);
            return adaptive ? Math.sqrt(gain) : gain;
        }
    },

    /** Progress is proportional to samples, and so is the step size. */
    LINEAR {
        @Override
        double rate(double batch, double reference, double noise, boolean adaptive) {
            return batch / reference;
        }
    },

    /** Progress is proportional to samples, and the step size to the batch's square root. */
    SQRT {
        @Override
        double rate(double batch, double reference, double noise, boolean adaptive) {
            return Math.sqrt(batch / reference);
        }
    };

    /**
     * The rule with this name.
     *
     * @return empty if there is none
     */
    public static Optional<BatchScaling> named(String name) {
        return Stream.of(values()).filter(each -> each.text().equals(name)).findFirst();
    }

    /** The rule's name in options. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The progress of a round, in rounds at the reference.
     *
     * @param batch samples that the round's aggregate averages
     * @param reference samples that it averages at the start of the run
     * @param noise φ in samples, NaN if unknown
     */
    double gain(double batch, double reference, double noise) {
        return batch / reference;
    }

    /** The batch with this gain; infinite if there is none. */
    double batch(double gain, double reference, double noise) {
        return gain * reference;
    }

    /**
     * The step size of a round relative to the reference.
     *
     * @param adaptive true if the optimizer normalizes gradients
     */
    abstract double rate(double batch, double reference, double noise, boolean adaptive);
}
