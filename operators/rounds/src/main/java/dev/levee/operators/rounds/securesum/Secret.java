package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.SumMessage.Sealed;

/** The two secrets of a device. Together they reveal its values. */
enum Secret {
    /**
     * The private key of the masks that it shares with neighbors; revealed if the device has left.
     */
    KEY {
        @Override
        byte[] digest(Sealed shares) {
            return shares.keyDigest();
        }
    },

    /** The seed of its own mask; revealed if the device has stayed. */
    SEED {
        @Override
        byte[] digest(Sealed shares) {
            return shares.seedDigest();
        }
    };

    /** The dealer's digest of the share of this secret. */
    abstract byte[] digest(Sealed shares);

    /** The secret that may be revealed for a device. */
    static Secret of(boolean stayed) {
        return stayed ? SEED : KEY;
    }
}
