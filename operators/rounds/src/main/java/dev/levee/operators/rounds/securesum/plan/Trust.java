package dev.levee.operators.rounds.securesum.plan;

import java.util.Locale;

/** The assumption of devices about the server. */
public enum Trust {
    /** It follows the protocol, and tries to learn from the messages that it receives. */
    HONEST {
        @Override
        int enough(int degree, int threshold) {
            return threshold;
        }
    },

    /**
     * It may tell devices different things about who has stayed. With fewer colluding neighbors
     * than this, two disjoint groups of honest neighbors can't both reach the threshold, so one of
     * the two secrets of a device stays secret whatever the server says.
     */
    ACTIVE {
        @Override
        int enough(int degree, int threshold) {
            return 2 * threshold - degree;
        }
    };

    /** The fewest colluding neighbors with whom the server could unmask a device. */
    abstract int enough(int degree, int threshold);

    /** The name in options. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
