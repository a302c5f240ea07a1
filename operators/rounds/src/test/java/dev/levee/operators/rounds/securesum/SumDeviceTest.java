package dev.levee.operators.rounds.securesum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.operators.rounds.codec.Codec;
import dev.levee.operators.rounds.codec.SumMessageCodec;
import dev.levee.operators.rounds.securesum.SumMessage.Closing;
import dev.levee.operators.rounds.securesum.SumMessage.Dealt;
import dev.levee.operators.rounds.securesum.SumMessage.Delivery;
import dev.levee.operators.rounds.securesum.SumMessage.Keys;
import dev.levee.operators.rounds.securesum.SumMessage.Reveal;
import dev.levee.operators.rounds.securesum.SumMessage.Roster;
import dev.levee.operators.rounds.securesum.SumMessage.Sealed;
import dev.levee.operators.rounds.securesum.SumMessage.Shares;
import dev.levee.operators.rounds.securesum.plan.SumRates;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** One device of five, of which one may leave; all are neighbors. */
class SumDeviceTest {
    private static final SumTask TASK = new SumTask(1, 7, 5, SumRates.parse("dropout=0.2"));
    private static final Codec<SumMessage> CODEC = SumMessageCodec.INSTANCE;
    private static final int[] VALUES = {1, -2, 3};

    private final TreeMap<Integer, SumDevice> devices = new TreeMap<>();
    private Roster roster;

    private static byte[] secret(int device) {
        byte[] secret = new byte[32];
        secret[0] = (byte) device;
        return secret;
    }

    @BeforeEach
    void announce() {
        for (int i = 0; i < 5; i++) {
            devices.put(i, new SumDevice(TASK, i, secret(i)));
        }
        roster = new Roster(1, 7, devices.values().stream().map(SumDevice::keys).toList());
    }

    private Delivery delivery(int to) {
        List<Dealt> dealt = new ArrayList<>();
        devices.forEach(
                (from, device) -> {
                    for (Sealed each : device.share(roster).shares()) {
                        if (each.to() == to) {
                            dealt.add(new Dealt(from, each));
                        }
                    }
                });
        return new Delivery(to, dealt);
    }

    private static byte[] bytes(SumMessage message) {
        return CODEC.bytes(message);
    }

    @Test
    void aDeviceAnswersTwoListsOfThoseThatStayedNeverBoth() {
        SumDevice device = devices.get(0);
        Delivery delivery = delivery(0);
        device.mask(delivery, VALUES);
        Reveal told = device.reveal(new Closing(List.of(0, 1, 2, 3, 4)));
        assertThat(told.shares()).hasSize(devices.size() - 1);
        // The same again has the same answer; with it the seed of device 4 is told, so never its
        // key.
        assertThat(bytes(device.reveal(new Closing(List.of(0, 1, 2, 3, 4)))))
                .isEqualTo(bytes(told));
        assertThatThrownBy(() -> device.reveal(new Closing(List.of(0, 1, 2, 3))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "device 0 does not answer Closing now: it has answered another, or the ones"
                                + " before have not come");
        SumDevice restarted =
                new SumDevice(
                        TASK,
                        0,
                        secret(0),
                        List.of(roster, delivery, new Closing(List.of(0, 1, 2, 3, 4))));
        assertThatThrownBy(() -> restarted.reveal(new Closing(List.of(0, 1, 2, 3))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(bytes(restarted.reveal(new Closing(List.of(0, 1, 2, 3, 4)))))
                .isEqualTo(bytes(told));
    }

    /** Of device 4 the key is told if it has left, and the seed if it has stayed. */
    @Test
    void whichSecretIsToldDependsOnWhoStayed() {
        Delivery delivery = delivery(0);
        SumDevice twin = new SumDevice(TASK, 0, secret(0), List.of(roster));
        devices.get(0).mask(delivery, VALUES);
        twin.mask(delivery, VALUES);
        Reveal all = devices.get(0).reveal(new Closing(List.of(0, 1, 2, 3, 4)));
        Reveal without = twin.reveal(new Closing(List.of(0, 1, 2, 3)));
        for (int i = 0; i < all.shares().size(); i++) {
            int owner = all.shares().get(i).owner();
            assertThat(without.shares().get(i).owner()).isEqualTo(owner);
            boolean same =
                    Arrays.equals(all.shares().get(i).share(), without.shares().get(i).share());
            assertThat(same).isEqualTo(owner != 4);
        }
    }

    /** The same masks over other values would show the difference. */
    @Test
    void aDeviceMasksOnce() {
        Delivery delivery = delivery(0);
        devices.get(0).mask(delivery, VALUES);
        String again = "device 0 has masked its values already, and sends the same row again";
        assertThatThrownBy(() -> devices.get(0).mask(delivery, new int[] {4, 5, 6}))
                .hasMessage(again);
        SumDevice restarted = new SumDevice(TASK, 0, secret(0), List.of(roster, delivery));
        assertThatThrownBy(() -> restarted.mask(delivery, VALUES)).hasMessage(again);
    }

    @Test
    void aDeviceThatIsRestartedSaysTheSame() {
        SumDevice restarted = new SumDevice(TASK, 2, secret(2));
        assertThat(bytes(restarted.keys())).isEqualTo(bytes(devices.get(2).keys()));
        assertThat(bytes(restarted.share(roster))).isEqualTo(bytes(devices.get(2).share(roster)));
        Delivery delivery = delivery(2);
        SumDevice later = new SumDevice(TASK, 2, secret(2), List.of(roster));
        assertThat(bytes(later.mask(delivery, VALUES)))
                .isEqualTo(bytes(devices.get(2).mask(delivery, VALUES)));
    }

    @Test
    void aRowSaysNothingByItself() {
        int[] zeros = new int[100_000];
        int[] row = devices.get(0).mask(delivery(0), zeros).values();
        long ones = Arrays.stream(row).mapToLong(Integer::bitCount).sum();
        assertThat(ones / (32.0 * row.length)).isBetween(0.498, 0.502);
        assertThat(zeros).containsOnly(0);
    }

    @Test
    void aDeviceTakesPartInNothingButTheSumItWasAskedFor() {
        SumDevice device = devices.get(0);
        List<Keys> keys = new ArrayList<>(roster.devices());
        refuses(() -> device.share(new Roster(1, 8, keys)), "is not one of round 7");
        refuses(() -> device.share(new Roster(2, 7, keys)), "is not one of round 7");
        refuses(
                () -> device.share(new Roster(1, 7, List.of(keys.get(1), keys.get(0)))),
                "is not one of round 7");
        refuses(
                () -> device.share(new Roster(1, 7, keys.subList(0, 3))),
                "3 of 5 devices are present, but dropout=0.2,collude=0.0,server=honest needs 4");
        refuses(
                () -> device.share(new Roster(1, 7, keys.subList(1, 5))),
                "does not have the keys of device 0");
        keys.set(0, new Keys(0, keys.get(1).maskKey(), keys.get(1).channelKey()));
        refuses(() -> device.share(new Roster(1, 7, keys)), "does not have the keys of device 0");
        keys.set(0, roster.devices().get(0));
        keys.set(1, new Keys(1, new byte[32], new byte[32]));
        refuses(
                () -> device.share(new Roster(1, 7, keys)),
                "device 1 has announced a key that is not secure");
        device.share(roster);
        refuses(
                () -> device.share(new Roster(1, 7, roster.devices().subList(0, 4))),
                "device 0 does not answer Roster now");
        Delivery delivery = delivery(0);
        refuses(
                () -> device.mask(new Delivery(0, delivery.dealt().subList(0, 1)), VALUES),
                "device 0 masks with at least ");
        refuses(
                () -> device.mask(new Delivery(1, delivery.dealt()), VALUES),
                "device 0 masks with at least ");
        refuses(
                () -> device.mask(delivery(1), VALUES),
                "which is not a neighbor or has sent others");
        refuses(() -> device.reveal(new Closing(List.of(0, 1, 2, 3))), "does not answer Closing");
        device.mask(delivery, VALUES);
        refuses(
                () -> device.reveal(new Closing(List.of(0, 1, 2))),
                "device 0 takes part in sums of at least 4 devices, and 3 have stayed");
        refuses(
                () -> device.reveal(new Closing(List.of(1, 2, 3, 4))),
                "device 0 is not among those");
        refuses(
                () -> device.reveal(new Closing(List.of(0, 0, 1, 2, 3))),
                "device 0 is not among those");
        refuses(
                () -> device.reveal(new Closing(List.of(0, 1, 2, 3, 9))),
                "device 0 is not among those");
        assertThat(device.reveal(new Closing(List.of(0, 1, 2, 3))).unreadable()).isEmpty();
    }

    private static void refuses(Runnable what, String why) {
        assertThatThrownBy(what::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    /** Every prefix of a message's bytes is none, and every changed bit is another or none. */
    @Test
    void bytesThatAreNoMessageAreRefused() {
        Shares shares = devices.get(0).share(roster);
        Delivery delivery = delivery(0);
        SumMessage row = devices.get(0).mask(delivery, VALUES);
        Closing closing = new Closing(List.of(0, 1, 2, 3));
        List<SumMessage> all =
                List.of(
                        roster.devices().get(0),
                        roster,
                        shares,
                        delivery,
                        row,
                        closing,
                        devices.get(0).reveal(closing),
                        new SumMessage.Added(3),
                        new SumMessage.StepEnded());
        for (SumMessage message : all) {
            byte[] bytes = bytes(message);
            assertThat(bytes(CODEC.of(bytes))).isEqualTo(bytes);
            for (int length = 0; length < bytes.length; length++) {
                byte[] part = Arrays.copyOf(bytes, length);
                assertThatThrownBy(() -> CODEC.of(part)).isInstanceOf(UncheckedIOException.class);
            }
        }
        assertThatThrownBy(() -> CODEC.of(new byte[] {77}))
                .hasMessageContaining("no message of a sum has kind 77");
        // A list of two thousand million values in nine bytes.
        assertThatThrownBy(() -> CODEC.of(new byte[] {5, 0, 0, 0, 1, 0x7F, -1, -1, -1}))
                .isInstanceOf(UncheckedIOException.class);
    }
}
