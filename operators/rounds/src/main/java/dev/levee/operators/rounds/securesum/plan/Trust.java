package dev.levee.operators.rounds.securesum.plan;

import java.util.Locale;

/** The assumption of devices about the server. */
public enum Trust {
    /** The server follows the protocol, but tries to learn from the messages that it receives. */
    HONEST {
        @Override
        int enough(int degree, int threshold) {
            return threshold;
        }
    },

    /**
     * The server may send devices different lists of the devices that have stayed. With fewer
     * colluding neighbors than {@code enough}, two disjoint groups of honest neighbors cannot both
     * reach the threshold, so the server never gets both secrets of a device.
     */
    ACTIVE {
        @Override
        int enough(int degree, int threshold) {
            return 2 * threshold - degree;
        }
    };

    /** The fewest colluding neighbors with which the server could unmask a device. */
    abstract int enough(int degree, int threshold);

    /** The name in options. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
