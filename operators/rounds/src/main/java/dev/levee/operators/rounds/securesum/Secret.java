package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.SumMessage.Sealed;

/** The two secrets of a device. Who knows both knows its values. */
enum Secret {
    /** The private key of the masks that it shares with neighbors, for a device that has left. */
    KEY {
        @Override
        byte[] digest(Sealed shares) {
            return shares.keyDigest();
        }
    },

    /** The seed of its own mask, for a device that has stayed. */
    SEED {
        @Override
        byte[] digest(Sealed shares) {
            return shares.seedDigest();
        }
    };

    /** The dealer's digest of the share of this secret. */
    abstract byte[] digest(Sealed shares);

    /** The one that is wanted of a device. */
    static Secret of(boolean stayed) {
        return stayed ? SEED : KEY;
    }
}
