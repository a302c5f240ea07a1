package dev.levee.operators.rounds.securesum;

import java.util.List;

/**
 * Messages between devices and server in the order of the four steps, and the server's internal
 * ones. The transport authenticates senders: the keys of devices sign messages.
 */
public sealed interface SumMessage {
    /** A message of a device to the server. */
    sealed interface FromDevice extends SumMessage {
        /** The sender. */
        int device();
    }

    /**
     * Step 1: the public keys of a device for this round.
     *
     * @param maskKey with which it agrees on masks, 32 bytes
     * @param channelKey with which it agrees on how to encrypt shares, 32 bytes
     */
    record Keys(int device, byte[] maskKey, byte[] channelKey) implements FromDevice {}

    /**
     * To all devices: who takes part.
     *
     * @param devices in ascending order
     */
    record Roster(long run, long round, List<Keys> devices) implements SumMessage {
        public Roster {
            devices = List.copyOf(devices);
        }
    }

    /**
     * Step 2: the shares of a device's two secrets, the private key of its masks and the seed of
     * its own mask.
     *
     * @param roster digest of the roster that it answers, 32 bytes: after a restart a server may
     *     have told another one than before
     * @param seedDigest of the seed, 32 bytes
     * @param shares for each neighbor, in ascending order
     */
    record Shares(int device, byte[] roster, byte[] seedDigest, List<Sealed> shares)
            implements FromDevice {
        public Shares {
            shares = List.copyOf(shares);
        }
    }

    /**
     * Two shares for one neighbor.
     *
     * @param to the neighbor
     * @param sealed the share of the key and that of the seed, for its eyes only
     * @param keyDigest of the share of the key, 32 bytes
     * @param seedDigest of the share of the seed, 32 bytes
     */
    record Sealed(int to, byte[] sealed, byte[] keyDigest, byte[] seedDigest) {}

    /**
     * To one device: the shares that its neighbors have for it.
     *
     * @param dealt in ascending order of who dealt them
     */
    record Delivery(int device, List<Dealt> dealt) implements SumMessage {
        public Delivery {
            dealt = List.copyOf(dealt);
        }
    }

    /** The shares that one neighbor has dealt. */
    record Dealt(int from, Sealed shares) {}

    /**
     * Step 3: the values of a device under its masks.
     *
     * @param values never written after construction
     */
    record Row(int device, int[] values) implements FromDevice {}

    /**
     * To all devices: who has sent values, in ascending order. Only their sum will show.
     *
     * @param stayed devices in the sum
     */
    record Closing(List<Integer> stayed) implements SumMessage {
        public Closing {
            stayed = List.copyOf(stayed);
        }
    }

    /**
     * Step 4: one share of each neighbor that had dealt some: of its seed if it stayed, of its key
     * otherwise.
     *
     * @param shares in ascending order of owner
     * @param unreadable neighbors whose shares were not what they said
     */
    record Reveal(int device, List<Told> shares, List<Integer> unreadable) implements FromDevice {
        public Reveal {
            shares = List.copyOf(shares);
            unreadable = List.copyOf(unreadable);
        }
    }

    /** A share of the secret of a device, 32 bytes. */
    record Told(int owner, byte[] share) {}

    /** At any step: the device has closed its connection, so the server stops waiting for it. */
    record Left(int device) implements FromDevice {}

    /** Inside the server: all values of a device have been added. */
    record Added(int device) implements SumMessage {}

    /** Inside the server: a step has ended, with the messages received so far. */
    record StepEnded() implements SumMessage {}
}
