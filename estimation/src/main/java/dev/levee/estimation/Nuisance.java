package dev.levee.estimation;

import java.util.Arrays;
import java.util.Locale;

/** A regression that an effect's score needs. Names are those of DoubleML. */
public enum Nuisance {
    /** E[Y | X]. */
    L,
    /** E[D | X], or E[Z | X] in models with an instrument: the propensity if D or Z is 0 or 1. */
    M,
    /** E[D | X], in models with an instrument. */
    R,
    /** E[Y − θD | X], with a first estimate of θ. */
    G,
    /** E[Y | X] for treatment 0, or instrument 0. */
    G0,
    /** E[Y | X] for treatment 1, or instrument 1. */
    G1,
    /** E[D | X] for observations with instrument 0. */
    R0,
    /** E[D | X] for observations with instrument 1. */
    R1;

    /** True if it is fitted on observations with this treatment or instrument. */
    public boolean covers(double assignment) {
        return switch (this) {
            case G0, R0 -> assignment == 0;
            case G1, R1 -> assignment == 1;
            case L, M, R, G -> true;
        };
    }

    /** DoubleML's name: {@code ml_l}. */
    public String label() {
        return "ml_" + letter();
    }

    /**
     * The nuisance function with a label.
     *
     * @throws IllegalArgumentException if there is no such function; one sentence
     */
    public static Nuisance labelled(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "a nuisance function is ml_l, ml_m, ml_r, ml_g, ml_g0,"
                                                + " ml_g1, ml_r0 or ml_r1, got \""
                                                + label
                                                + "\""));
    }

    /** The suffix of the option {@code --learner-}, such as {@code l}. */
    public String letter() {
        return name().toLowerCase(Locale.ROOT);
    }
}
