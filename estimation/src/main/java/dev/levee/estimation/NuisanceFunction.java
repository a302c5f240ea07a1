package dev.levee.estimation;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * A nuisance function that is fitted. There is one function for each kind, but M has one for each
 * instrument.
 *
 * @param kind the kind of the function
 * @param instrument index of the instrument that is the target of M; 0 for other kinds
 * @param label DoubleML's name: {@code ml_l}, or {@code ml_m_z1} for one of several instruments
 */
public record NuisanceFunction(Nuisance kind, int instrument, String label)
        implements Serializable {
    /** The functions of a score, in the order in which they are fitted. */
    public static List<NuisanceFunction> of(Score score, EffectData data) {
        List<NuisanceFunction> all = new ArrayList<>();
        for (Nuisance kind : score.nuisances()) {
            int count = kind == Nuisance.M ? Math.max(1, data.instruments().size()) : 1;
            for (int j = 0; j < count; j++) {
                String of = count == 1 ? "" : "_" + data.instruments().get(j).name();
                all.add(new NuisanceFunction(kind, j, kind.label() + of));
            }
        }
        return List.copyOf(all);
    }
}
