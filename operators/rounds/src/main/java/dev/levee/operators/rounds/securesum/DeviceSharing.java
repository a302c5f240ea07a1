package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.SumMessage.Delivery;
import dev.levee.operators.rounds.securesum.SumMessage.Roster;
import dev.levee.operators.rounds.securesum.SumMessage.Sealed;
import dev.levee.operators.rounds.securesum.SumMessage.Shares;
import dev.levee.operators.rounds.securesum.crypto.SealedBox;
import dev.levee.operators.rounds.securesum.crypto.Shamir;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The stage of a device that has shared its secrets. */
record DeviceSharing(DeviceKeys own, SumSetup setup, byte[] seed, Shares shares)
        implements DeviceStage {
    static DeviceSharing of(DeviceKeys own, Roster roster) {
        SumSetup setup = new SumSetup(own.task(), roster);
        int id = own.id();
        if (!setup.has(id)
                || !Arrays.equals(setup.keys(id).maskKey(), own.announced().maskKey())
                || !Arrays.equals(setup.keys(id).channelKey(), own.announced().channelKey())) {
            throw new IllegalArgumentException(
                    "the list of devices does not have the keys of device " + id);
        }
        byte[] seed = own.seed(setup);
        Map<Secret, List<BigInteger>> polynomials = new EnumMap<>(Secret.class);
        for (Secret kind : Secret.values()) {
            polynomials.put(
                    kind,
                    Shamir.polynomial(
                            kind == Secret.KEY ? own.maskKey().scalar() : seed,
                            setup.plan().threshold(),
                            own.coefficients(kind, setup)));
        }
        List<Sealed> sealed = new ArrayList<>();
        for (int neighbor : setup.neighbors(id)) {
            byte[] key = Shamir.share(polynomials.get(Secret.KEY), setup.holder(neighbor));
            byte[] ownSeed = Shamir.share(polynomials.get(Secret.SEED), setup.holder(neighbor));
            sealed.add(
                    new Sealed(
                            neighbor,
                            SealedBox.seal(
                                    setup.channelKey(own.channelKey(), neighbor, id, neighbor),
                                    joined(key, ownSeed)),
                            setup.shareDigest(Secret.KEY, id, neighbor, key),
                            setup.shareDigest(Secret.SEED, id, neighbor, ownSeed)));
        }
        return new DeviceSharing(
                own,
                setup,
                seed,
                new Shares(id, setup.context(), setup.seedDigest(id, seed), sealed));
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    @Override
    public DeviceStage hear(SumMessage message) {
        if (message instanceof Roster roster
                && Arrays.equals(new SumSetup(own.task(), roster).context(), setup.context())) {
            return this;
        }
        if (message instanceof Delivery delivery) {
            return DeviceMasked.of(this, delivery);
        }
        throw DeviceStage.unexpected(own.id(), message);
    }
}
