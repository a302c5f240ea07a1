package dev.levee.operators.rounds.participant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.codec.SumMessageCodec;
import dev.levee.operators.rounds.securesum.Masking;
import dev.levee.operators.rounds.securesum.SumDevice;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.securesum.SumMessage.Closing;
import dev.levee.operators.rounds.securesum.SumMessage.Dealt;
import dev.levee.operators.rounds.securesum.SumMessage.Delivery;
import dev.levee.operators.rounds.securesum.SumMessage.Roster;
import dev.levee.operators.rounds.securesum.SumMessage.Sealed;
import dev.levee.operators.rounds.securesum.SumTask;
import dev.levee.operators.rounds.securesum.plan.SumRates;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Device 0 of eight, which was started again or is slow. */
class SumDevicesTest {
    private static final int DEVICES = 8;
    private static final long ROUND = 7;
    private static final SumRates RATES = SumRates.parse("dropout=0.375");
    private static final SumTask TASK = new SumTask(1, ROUND, DEVICES, RATES);

    private final Training training =
            new TrainingBuilder(
                            "sums",
                            "strokes:",
                            Models.open("logistic", new int[] {1, 28, 28}, 10),
                            Rules.parse("average"),
                            DEVICES,
                            0)
                    .deadline(Duration.ofSeconds(1))
                    .masking(new Masking.Recoverable(RATES))
                    .rowsHeld(2)
                    .build();
    private final List<SumDevice> before =
            IntStream.range(0, DEVICES).mapToObj(i -> new SumDevice(TASK, i, secret(i))).toList();
    private final Roster roster =
            new Roster(1, ROUND, before.stream().map(SumDevice::keys).toList());
    private final Closing closing = new Closing(IntStream.range(0, DEVICES).boxed().toList());
    private final List<SumMessage> said = new ArrayList<>();
    private final List<Work.Task> left = new ArrayList<>();

    private static byte[] secret(int device) {
        byte[] secret = new byte[32];
        secret[0] = (byte) device;
        return secret;
    }

    private Delivery delivery() {
        List<Dealt> dealt = new ArrayList<>();
        for (int from = 0; from < DEVICES; from++) {
            for (Sealed each : before.get(from).share(roster).shares()) {
                if (each.to() == 0) {
                    dealt.add(new Dealt(from, each));
                }
            }
        }
        return new Delivery(0, dealt);
    }

    private SumDevices device() {
        return SumDevices.of(
                training,
                1,
                new SumDevices.Output() {
                    @Override
                    public void say(long round, SumMessage.FromDevice message) {
                        said.add(message);
                    }

                    @Override
                    public void masked(Work.Task task, Work.Result result) {
                        throw new AssertionError("it has sent its row");
                    }

                    @Override
                    public void left(Work.Task task, Work.Result result) {
                        left.add(task);
                    }

                    @Override
                    public boolean lives(int device) {
                        return device == 0;
                    }

                    @Override
                    public byte[] secret(SumTask task, int device) {
                        return SumDevicesTest.secret(device);
                    }

                    @Override
                    public boolean done(int device, long round) {
                        return round == ROUND;
                    }
                });
    }

    /** A restarted job repeats the messages of its open round. */
    @Test
    void itRevealsItsSharesAlthoughTheJobHasRepeatedItsMessages() {
        Delivery delivery = delivery();
        before.get(0).mask(delivery, new int[] {1, -2, 3});
        SumDevices restarted = device();
        for (SumMessage message : List.of(roster, delivery, roster, delivery, closing)) {
            restarted.tell(new SumNotice(0, ROUND, message));
        }
        assertThat(said).hasSize(1);
        assertThat(SumMessageCodec.INSTANCE.bytes(said.get(0)))
                .isEqualTo(SumMessageCodec.INSTANCE.bytes(before.get(0).reveal(closing)));
    }

    /** What device 0 does in the round before. */
    private Work.Task slow() {
        long round = ROUND - 1;
        float[] model = new float[Slices.of(training.model().layout()).dimension()];
        return new Work.Task(
                0,
                0,
                round,
                training.settings(0, round),
                model,
                0,
                round - 1,
                Map.of(),
                Work.NOTHING,
                0);
    }

    private Work.Result result() {
        return new Work.Result(new float[slow().parameters().length], 1, 0, Map.of());
    }

    @Test
    void aDeviceWhoseTrainingEndsAfterANewerModelHasArrivedLeavesTheOldSum() {
        SumDevices devices = device();
        devices.over(ROUND);
        devices.trained(slow(), result());
        assertThat(left).hasSize(1);
        devices.tell(new SumNotice(0, ROUND, roster));
        assertThat(said).isEmpty();
    }

    @Test
    void aRosterThatOvertakesItsModelEndsTheOldSum() {
        SumDevices devices = device();
        devices.trained(slow(), result());
        said.clear();
        devices.tell(new SumNotice(0, ROUND, roster));
        assertThat(left).hasSize(1);
        assertThat(said).isEmpty();
    }
}
