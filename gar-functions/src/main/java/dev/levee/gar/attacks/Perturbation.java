package dev.levee.gar.attacks;

import dev.levee.gar.Arguments;

import java.util.Locale;

/** The directions p of Shejwalkar and Houmansadr, NDSS 2021, section IV. */
public enum Perturbation {
    /** −σ, the inverse standard deviation. */
    STD,
    /** −mean/‖mean‖, the inverse unit vector. */
    UNIT,
    /** −sign(mean), the inverse sign. */
    SIGN;

    /** Reads the argument {@code direction}. */
    public static Perturbation of(Arguments arguments) {
        String text = arguments.word("direction", STD.text());
        for (Perturbation known : values()) {
            if (known.text().equals(text)) {
                return known;
            }
        }
        throw new IllegalArgumentException(
                arguments.name() + ": the direction must be std, unit or sign, got " + text);
    }

    /** The name that {@link #of} reads. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    PerturbationLine from(HonestRows honest) {
        return new PerturbationLine(
                honest,
                switch (this) {
                    case STD -> Direction.deviation();
                    case UNIT -> Direction.unit(honest);
                    case SIGN -> Direction.sign();
                });
    }
}
