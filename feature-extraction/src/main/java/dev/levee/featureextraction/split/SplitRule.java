package dev.levee.featureextraction.split;

import dev.levee.learners.layers.Cut;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The rule that chooses a cut. */
public enum SplitRule {
    /**
     * HAPI's algorithm 2 (thesis, section 5.4). Among the cuts that the storage tier can serve, it
     * cuts behind the first frozen layer whose output is smaller than a stored image and takes the
     * link less than a second for a whole batch; if there is none, behind the freeze index or, if
     * the tier cannot serve that, at the last cut that it can. This fallback can send more bytes
     * than the stored images have.
     */
    THESIS {
        @Override
        public Cut choose(Profile profile, Conditions conditions) {
            double capacity = conditions.bandwidth() / Byte.SIZE;
            for (int layer = 0; layer <= profile.freeze(); layer++) {
                Cut cut = profile.network().after(layer);
                double bytes = profile.linkBytes(cut);
                if (profile.served().test(cut)
                        && bytes < profile.imageBytes()
                        && bytes * conditions.batch() < capacity) {
                    return cut;
                }
            }
            Cut last = profile.network().after(profile.freeze());
            List<Cut> cuts = profile.cuts();
            return profile.served().test(last) ? last : cuts.get(cuts.size() - 1);
        }
    },

    /**
     * Minimizes the predicted time per image over all cuts that the storage tier can serve,
     * including no split. The time includes sending the parameters and waiting for the first
     * request. Among cuts of equal time, the one with the fewest bytes wins, then the first. By its
     * prediction, the choice is never worse than no split, if the storage tier can serve that.
     */
    COST {
        @Override
        public Cut choose(Profile profile, Conditions conditions) {
            if (profile.measured().isEmpty()) {
                throw new IllegalArgumentException(
                        "the cost rule needs layer times: measure or set them");
            }
            Prediction best = profile.predict(profile.cuts().get(0), conditions);
            for (Cut cut : profile.cuts()) {
                Prediction next = profile.predict(cut, conditions);
                int order = Double.compare(next.seconds(conditions), best.seconds(conditions));
                if (order < 0 || (order == 0 && next.bytes() < best.bytes())) {
                    best = next;
                }
            }
            return best.cut();
        }
    };

    /**
     * Chooses a cut.
     *
     * @param profile a profile with a cut that the storage tier can serve
     * @throws IllegalArgumentException if the rule needs times and the profile has none
     */
    public abstract Cut choose(Profile profile, Conditions conditions);

    /** The name on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The rule with a name.
     *
     * @throws IllegalArgumentException if no rule has the name; one sentence
     */
    public static SplitRule parse(String name) {
        return Arrays.stream(values())
                .filter(rule -> rule.label().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("must be thesis or cost, got " + name));
    }
}
