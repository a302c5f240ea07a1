package dev.levee.operators.rounds.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.securesum.MaskedSum;
import dev.levee.operators.rounds.securesum.Masking;
import dev.levee.operators.rounds.securesum.SumDevice;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.securesum.SumTask;
import dev.levee.operators.rounds.securesum.plan.SumRates;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;

/** The coordinator of a round that is a secure sum, whose devices may break the rules. */
class SecureSumRoundTest {
    private static final int DEVICES = 8;
    private static final SumRates RATES = SumRates.parse("dropout=0.375");

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
    private final Slices slices = Slices.of(training.model().layout());
    private final List<SumDevice> devices = new ArrayList<>();
    private final MaskedSum sum = new MaskedSum(3);
    private final ArrayDeque<SumNotice> notices = new ArrayDeque<>();
    private final List<Instruction.Average> averages = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private final List<Boolean> overtime = new ArrayList<>();

    /** Places whose rows shards may add up before the round closes. */
    private final BitSet admitted = new BitSet();

    private long micros;
    private Coordinator coordinator = coordinator(CoordinatorState.initial(training, slices, 0));

    /** What devices send instead of a message, and null for nothing. */
    private UnaryOperator<SumMessage.FromDevice> says = UnaryOperator.identity();

    /** What happens before the shards have applied round 0. */
    private Runnable applying = () -> {};

    SecureSumRoundTest() {
        SumTask task = new SumTask(Header.run("sums"), 0, DEVICES, RATES);
        for (int id = 0; id < DEVICES; id++) {
            byte[] secret = new byte[32];
            Arrays.fill(secret, (byte) (id + 1));
            devices.add(new SumDevice(task, id, secret));
        }
    }

    private Coordinator coordinator(CoordinatorState state) {
        RoundOutput output =
                new RoundOutput() {
                    @Override
                    public void instruct(Instruction instruction) {
                        if (instruction instanceof Instruction.Average average) {
                            averages.add(average);
                        } else if (instruction instanceof Instruction.Admit admit) {
                            admitted.or(admit.places());
                        }
                    }

                    @Override
                    public void tell(SumNotice notice) {
                        notices.add(notice);
                    }

                    @Override
                    public void finished(RoundReport report) {
                        refused.add(report.refused());
                        overtime.add(report.overtime());
                    }
                };
        return new Coordinator(
                training,
                Header.run(training.runId()),
                slices,
                0,
                state,
                false,
                output,
                new Coordinator.Clocks(() -> micros, () -> micros));
    }

    private void say(SumMessage.FromDevice message) {
        SumMessage.FromDevice said = says.apply(message);
        if (said instanceof SumMessage.Row row) {
            sum.add(row.values());
            coordinator.report(
                    new ShardReport.Arrived(
                            0, new ShardId(0, 0), row.device(), 0, 1, new double[0], 0, 0, 0, 0));
        } else if (said != null) {
            coordinator.report(new ShardReport.Said(0, 0, said));
        }
    }

    private void answer(int id, SumMessage message) {
        if (message instanceof SumMessage.Roster roster) {
            if (roster.devices().stream().noneMatch(keys -> keys.device() == id)) {
                return;
            }
            say(devices.get(id).share(roster));
        } else if (message instanceof SumMessage.Delivery delivery) {
            if (delivery.device() == id) {
                say(devices.get(id).mask(delivery, new int[] {id, -id, 1}));
            }
        } else if (message instanceof SumMessage.Closing closing && closing.stayed().contains(id)) {
            say(devices.get(id).reveal(closing));
        }
    }

    /** Devices answer all that they are told; a step that nobody answers any more ends in time. */
    private void run() {
        coordinator.restart();
        devices.forEach(device -> say(device.keys()));
        while (averages.isEmpty()) {
            if (notices.isEmpty()) {
                expire();
            } else {
                SumMessage message = notices.remove().message();
                for (int id = 0; id < DEVICES; id++) {
                    answer(id, message);
                }
            }
        }
        applying.run();
        apply(0);
    }

    private void apply(long round) {
        for (int block = 0; block < slices.count(); block++) {
            coordinator.report(new ShardReport.Applied(round, new ShardId(0, block), 0, 0));
        }
    }

    private void assertSum(int... stayed) {
        Instruction.Average average = averages.get(0);
        assertThat(average.rows()).containsExactly(stayed);
        sum.remove(average.masks());
        int ids = Arrays.stream(stayed).sum();
        assertThat(sum.values()).containsExactly(ids, -ids, stayed.length);
    }

    private long wrong(int device) {
        return coordinator.counts().get(device).rejected()[Rejection.WRONG_SHARES.ordinal()];
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aStepEndsAtItsDeadlineWithoutThoseWhoAreSilent(int step) {
        List<Class<?>> steps =
                List.of(
                        SumMessage.Keys.class,
                        SumMessage.Shares.class,
                        SumMessage.Row.class,
                        SumMessage.Reveal.class);
        says =
                message ->
                        message.device() == 5 && steps.indexOf(message.getClass()) >= step
                                ? null
                                : message;
        run();
        if (step == 3) {
            assertSum(0, 1, 2, 3, 4, 5, 6, 7);
        } else {
            assertSum(0, 1, 2, 3, 4, 6, 7);
        }
        assertThat(refused).containsExactly("");
    }

    @Test
    void aDeviceThatTellsWrongSharesIsCountedAndTheSumIsRight() {
        says =
                message -> {
                    if (!(message instanceof SumMessage.Reveal reveal) || reveal.device() != 2) {
                        return message;
                    }
                    return new SumMessage.Reveal(
                            2,
                            reveal.shares().stream()
                                    .map(each -> new SumMessage.Told(each.owner(), new byte[32]))
                                    .toList(),
                            List.of());
                };
        run();
        assertSum(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(wrong(2)).isEqualTo(1);
        assertThat(wrong(3)).isZero();
    }

    private void arrived(int device) {
        coordinator.report(
                new ShardReport.Arrived(
                        0, new ShardId(0, 0), device, 0, 1, new double[0], 0, 0, 0, 0));
    }

    /** It would be in the sum, and its masks would not be taken off. */
    @Test
    void aRowOfADeviceThatHasSharedNothingIsNotAddedUp() {
        says =
                message -> {
                    if (message.device() != 5) {
                        return message;
                    }
                    if (message instanceof SumMessage.Keys) {
                        arrived(5);
                        return message;
                    }
                    return null;
                };
        run();
        assertSum(0, 1, 2, 3, 4, 6, 7);
        assertThat(admitted.cardinality()).isGreaterThan(1);
        assertThat(admitted.get(5)).isFalse();
    }

    @Test
    void aDeviceThatContradictsItselfStopsNothing() {
        says =
                message -> {
                    if (message instanceof SumMessage.Row && message.device() == 3) {
                        coordinator.report(
                                new ShardReport.Dropped(
                                        0, new ShardId(0, 0), 4, Rejection.CONTRADICTORY));
                    }
                    return message;
                };
        run();
        assertSum(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(coordinator.counts().get(4).rejected()[Rejection.CONTRADICTORY.ordinal()])
                .isEqualTo(1);
    }

    @Test
    void aSumWhoseDevicesLeaveInTooGreatANumberIsRefused() {
        says =
                message ->
                        message instanceof SumMessage.Shares && message.device() < 4
                                ? null
                                : message;
        run();
        assertThat(averages.get(0).rows()).isEmpty();
        assertThat(averages.get(0).masks()).isEmpty();
        assertThat(refused)
                .containsExactly("4 of 8 devices shared their secrets, and the sum needs 5");
    }

    /** Device 0 announces keys for round 1. */
    private void begin() {
        SumTask task = new SumTask(Header.run("sums"), 1, DEVICES, RATES);
        coordinator.report(new ShardReport.Said(1, 0, new SumDevice(task, 0, new byte[32]).keys()));
    }

    private void expire() {
        micros = coordinator.deadline().orElseThrow();
        coordinator.tick();
    }

    /** Other devices than those of a later round may be there, and are asked in the next one. */
    @Test
    void onlyAfterAStartASumWaitsForItsFirstDevice() {
        coordinator.restart();
        assertThat(coordinator.deadline()).isEmpty();
        run();
        expire();
        apply(1);
        assertThat(refused)
                .containsExactly("", "0 of 8 devices announced keys, and the sum needs 5");
    }

    /** The shards take longer to apply round 0 than round 1's deadline, then one device answers. */
    @Test
    void aDeadlineThatPassesWhileShardsApplyARoundLeavesTheNextSumItsDeadlines() {
        applying = this::expire;
        run();
        begin();
        while (coordinator.round() == 1) {
            expire();
        }
        apply(1);
        assertThat(refused)
                .containsExactly("", "1 of 8 devices announced keys, and the sum needs 5");
        assertThat(overtime).containsExactly(false, false);
    }

    /** Devices that are told all again answer the same again, which changes nothing. */
    @Test
    void aCoordinatorThatStartsAgainGoesOnFromWhatItHasHeard() {
        says =
                message -> {
                    CoordinatorState state =
                            Codecs.COORDINATOR.of(Codecs.COORDINATOR.bytes(coordinator.snapshot()));
                    coordinator = coordinator(state);
                    return message;
                };
        run();
        assertSum(0, 1, 2, 3, 4, 5, 6, 7);
        int told = notices.size();
        coordinator.restart();
        assertThat(notices).hasSize(told);
    }
}
