package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.SumMessage.Keys;
import dev.levee.operators.rounds.securesum.crypto.Digest;
import dev.levee.operators.rounds.securesum.crypto.ExchangeKey;
import dev.levee.operators.rounds.securesum.crypto.FieldBytes;
import dev.levee.operators.rounds.securesum.crypto.Hkdf;
import dev.levee.operators.rounds.securesum.crypto.Shamir;

/** A device's secrets for one sum, all derived from one secret. */
final class DeviceKeys {
    private final SumTask task;
    private final int id;
    private final byte[] secret;
    private final ExchangeKey maskKey;
    private final ExchangeKey channelKey;
    private final Keys announced;

    DeviceKeys(SumTask task, int id, byte[] secret) {
        this.task = task;
        this.id = id;
        this.secret = secret.clone();
        maskKey = ExchangeKey.ofRandom(drawn("mask key", new byte[0]));
        channelKey = ExchangeKey.ofRandom(drawn("channel key", new byte[0]));
        announced = new Keys(id, maskKey.publicKey(), channelKey.publicKey());
    }

    SumTask task() {
        return task;
    }

    int id() {
        return id;
    }

    ExchangeKey maskKey() {
        return maskKey;
    }

    ExchangeKey channelKey() {
        return channelKey;
    }

    Keys announced() {
        return announced;
    }

    /** The seed of the device's own mask, which is an element of the field. */
    byte[] seed(SumSetup setup) {
        return FieldBytes.of(FieldBytes.number(drawn("seed", setup.context())).mod(Shamir.PRIME));
    }

    /** The seed of the coefficients of a secret's polynomial. */
    byte[] coefficients(Secret kind, SumSetup setup) {
        return drawn("coefficients of " + kind, setup.context());
    }

    private byte[] drawn(String what, byte[] context) {
        return Hkdf.key(
                secret,
                new Digest(what).with(task.run()).with(task.round()).with(id).with(context));
    }
}
