package dev.levee.operators.rounds.securesum;

import java.util.List;

/**
 * A message between devices and server, or an internal one of the server, in the order of the four
 * steps. The transport authenticates senders by signatures with the devices' keys.
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
     * @param maskKey public key for agreement on masks, 32 bytes
     * @param channelKey public key for agreement on the encryption of shares, 32 bytes
     */
    record Keys(int device, byte[] maskKey, byte[] channelKey) implements FromDevice {}

    /**
     * To all devices: the devices that take part.
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
     * @param roster digest of the roster that it answers, 32 bytes, because a restarted server may
     *     send another roster than before
     * @param seedDigest digest of the seed, 32 bytes
     * @param shares the shares for each neighbor, in ascending order
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
     * @param sealed the share of the key and that of the seed, encrypted for the neighbor
     * @param keyDigest digest of the share of the key, 32 bytes
     * @param seedDigest digest of the share of the seed, 32 bytes
     */
    record Sealed(int to, byte[] sealed, byte[] keyDigest, byte[] seedDigest) {}

    /**
     * To one device: the shares that its neighbors have dealt to it.
     *
     * @param dealt the shares, in ascending order of dealer
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
     * To all devices: the devices that have sent values. Only the sum of these values will be
     * revealed.
     *
     * @param stayed devices in the sum, in ascending order
     */
    record Closing(List<Integer> stayed) implements SumMessage {
        public Closing {
            stayed = List.copyOf(stayed);
        }
    }

    /**
     * Step 4: one share for each neighbor that has dealt shares: of its seed if it stayed, of its
     * key otherwise.
     *
     * @param shares in ascending order of owner
     * @param unreadable neighbors whose shares do not match their digests
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
