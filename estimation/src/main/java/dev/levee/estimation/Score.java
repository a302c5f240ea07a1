package dev.levee.estimation;

import static dev.levee.estimation.Nuisance.G;
import static dev.levee.estimation.Nuisance.G0;
import static dev.levee.estimation.Nuisance.G1;
import static dev.levee.estimation.Nuisance.L;
import static dev.levee.estimation.Nuisance.M;
import static dev.levee.estimation.Nuisance.R;
import static dev.levee.estimation.Nuisance.R0;
import static dev.levee.estimation.Nuisance.R1;

import java.util.List;

/** A model's orthogonal score, and the nuisance functions that it needs. */
public enum Score {
    /** Robinson's score for partially linear regression: a regression of residuals on residuals. */
    PARTIALLING_OUT("partialling-out", L, M),
    /** The score of the instrumental-variable type for partially linear regression. */
    IV_TYPE("iv-type", L, M, G),
    /** A regression of residuals on residuals, with the residual of an instrument. */
    PLIV("partialling-out", L, M, R),
    /** The average treatment effect. */
    ATE("ate", G0, G1, M),
    /** The average treatment effect on the treated. Only its sensitivity needs G1. */
    ATT("att", G0, G1, M),
    /** The local average treatment effect, for compliers. */
    LATE("late", G0, G1, M, R0, R1);

    private final String label;
    private final List<Nuisance> nuisances;

    Score(String label, Nuisance... nuisances) {
        this.label = label;
        this.nuisances = List.of(nuisances);
    }

    /** The score's name for users. */
    public String label() {
        return label;
    }

    /** The nuisance functions, in the order in which they are fitted. */
    public List<Nuisance> nuisances() {
        return nuisances;
    }

    /** True if M is a propensity. Its target is then 0 or 1, and its predictions are trimmed. */
    public boolean hasPropensity() {
        return this == ATE || this == ATT || this == LATE;
    }

    /** True if an instrument is required. */
    public boolean hasInstrument() {
        return this == PLIV || this == LATE;
    }

    /**
     * True if the score has bounds of the omitted-variable bias, as in partially linear and
     * interactive regression.
     */
    public boolean hasSensitivity() {
        return this == PARTIALLING_OUT || this == IV_TYPE || this == ATE || this == ATT;
    }
}
