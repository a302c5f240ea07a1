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
    /** Robinson's for partially linear regression: residual on residual. */
    PARTIALLING_OUT("partialling-out", L, M),
    /** The instrumental-variable type for partially linear regression. */
    IV_TYPE("iv-type", L, M, G),
    /** Residual on residual with an instrument's residual. */
    PLIV("partialling-out", L, M, R),
    /** The average treatment effect. */
    ATE("ate", G0, G1, M),
    /** The average treatment effect on the treated. */
    ATT("att", G0, M),
    /** The local average treatment effect, on compliers. */
    LATE("late", G0, G1, M, R0, R1);

    private final String label;
    private final List<Nuisance> nuisances;

    Score(String label, Nuisance... nuisances) {
        this.label = label;
        this.nuisances = List.of(nuisances);
    }

    /** Its name for users. */
    public String label() {
        return label;
    }

    /** The nuisance functions, in the order in which they are fitted. */
    public List<Nuisance> nuisances() {
        return nuisances;
    }

    /** True if M is a propensity: its target is 0 or 1, and it is trimmed. */
    public boolean hasPropensity() {
        return this == ATE || this == ATT || this == LATE;
    }

    /** True if there must be an instrument. */
    public boolean hasInstrument() {
        return this == PLIV || this == LATE;
    }

    /**
     * True if the omitted-variable bias has bounds: partially linear and interactive regression.
     */
    public boolean hasSensitivity() {
        return this == PARTIALLING_OUT || this == IV_TYPE || this == ATE || this == ATT;
    }
}
