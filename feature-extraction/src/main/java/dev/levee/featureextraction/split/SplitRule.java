package dev.levee.featureextraction.split;

import dev.levee.learners.layers.Cut;

import java.util.Arrays;
import java.util.Locale;

/** The rule that chooses a cut. */
public enum SplitRule {
    /**
     * HAPI's algorithm 2 (thesis, section 5.4), literally: among the frozen layers whose output is
     * smaller than a stored image, the first whose output for a whole batch the link carries in
     * less than a second; the freeze index if there is none. Its fallback can send more than the
     * stored bytes.
     */
    THESIS {
        @Override
        public Cut choose(Profile profile, Conditions conditions) {
            double capacity = conditions.bandwidth() / Byte.SIZE;
            for (int layer = 0; layer <= profile.freeze(); layer++) {
                Cut cut = profile.network().after(layer);
                double bytes = profile.linkBytes(cut);
                if (bytes < profile.imageBytes() && bytes * conditions.batch() < capacity) {
                    return cut;
                }
            }
            return profile.network().after(profile.freeze());
        }
    },

    /**
     * The least predicted time per image over all cuts and not splitting, with the time in which
     * parameters go there and the first request has not come through yet; of equal ones that with
     * the fewest bytes, then the first. So by its prediction it is never worse than not splitting.
     */
    COST {
        @Override
        public Cut choose(Profile profile, Conditions conditions) {
            if (profile.measured().isEmpty()) {
                throw new IllegalArgumentException(
                        "the cost rule needs layer times: measure or set them");
            }
            Prediction best = profile.predict(profile.network().start(), conditions);
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
     * @throws IllegalArgumentException if the rule needs times and the profile has none
     */
    public abstract Cut choose(Profile profile, Conditions conditions);

    /** The name on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The rule of a name.
     *
     * @throws IllegalArgumentException if there is none; one sentence
     */
    public static SplitRule parse(String name) {
        return Arrays.stream(values())
                .filter(rule -> rule.label().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("must be thesis or cost, got " + name));
    }
}
