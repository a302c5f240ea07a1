package dev.levee.operators.testing.securesum;

import dev.levee.operators.rounds.codec.SumMessageCodec;
import dev.levee.operators.rounds.securesum.MaskedSum;
import dev.levee.operators.rounds.securesum.SumDevice;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.securesum.SumOutcome;
import dev.levee.operators.rounds.securesum.SumServer;
import dev.levee.operators.rounds.securesum.SumTask;
import dev.levee.operators.testing.Calendar;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Runs one secure sum in virtual time. Each message takes some time; a step ends when all devices
 * have answered or at its deadline. Messages are sent as bytes, and server and devices are
 * sometimes restarted from their stored state.
 */
public final class SumRun {
    /**
     * The result.
     *
     * @param outcome the server's outcome
     * @param sum the sum modulo 2³²; null if there is none
     * @param faults devices that the server proved faulty
     * @param micros duration in virtual microseconds
     */
    public record Result(
            SumOutcome outcome, int[] sum, SortedMap<Integer, String> faults, long micros) {}

    private sealed interface Event {}

    private record Sent(SumMessage.FromDevice message) implements Event {}

    private record Told(int device, SumMessage message) implements Event {}

    private record Deadline(int step) implements Event {}

    /** A device and its stored state. */
    private static final class Device {
        private final byte[] secret;
        private final List<SumMessage> answered = new ArrayList<>();
        private SumDevice machine;
        private int steps;

        Device(byte[] secret) {
            this.secret = secret;
        }
    }

    private static final double RESTART_RATE = 0.05;

    private final SumTask task;
    private final SortedMap<Integer, int[]> values;
    private final Map<Integer, DeviceBehavior> behaviors;
    private final long deadlineMicros;
    private final SplittableRandom random;
    private final TreeMap<Integer, Device> devices = new TreeMap<>();
    private final Calendar<Event> calendar = new Calendar<>(0);
    private final MaskedSum sum;
    private SumServer server;
    private int step;

    /**
     * Creates a sum.
     *
     * @param values the values of each asked device, all of one length
     * @param behaviors behaviors of devices that are not always honest and prompt
     * @param deadlineMicros deadline of each step in microseconds
     * @param seed the seed of secrets and restarts
     */
    public SumRun(
            SumTask task,
            SortedMap<Integer, int[]> values,
            Map<Integer, DeviceBehavior> behaviors,
            long deadlineMicros,
            long seed) {
        this.task = task;
        this.values = values;
        this.behaviors = behaviors;
        this.deadlineMicros = deadlineMicros;
        random = new SplittableRandom(seed);
        sum = new MaskedSum(values.get(values.firstKey()).length);
        server = new SumServer(task, new TreeSet<>(values.keySet()));
    }

    /** Runs the sum; call it once. */
    public Result run() {
        for (int id : values.keySet()) {
            byte[] secret = new byte[32];
            random.nextBytes(secret);
            Device device = new Device(secret);
            device.machine = new SumDevice(task, id, secret);
            devices.put(id, device);
            send(id, device.machine.keys());
        }
        calendar.plan(deadlineMicros, new Deadline(step));
        while (server.outcome().isEmpty()) {
            happen(calendar.next());
        }
        SumOutcome outcome = server.outcome().get();
        int[] total = null;
        if (outcome instanceof SumOutcome.Unmasked unmasked) {
            sum.remove(unmasked.masks());
            total = sum.values();
        }
        return new Result(outcome, total, new TreeMap<>(server.faults()), calendar.now());
    }

    private void happen(Event event) {
        if (event instanceof Sent sent) {
            take(sent.message());
            if (random.nextDouble() < RESTART_RATE) {
                server =
                        new SumServer(
                                task,
                                new TreeSet<>(values.keySet()),
                                server.heard().stream().map(SumRun::travelled).toList());
            }
            if (server.complete()) {
                endStep();
            }
        } else if (event instanceof Told told) {
            answer(told.device(), told.message());
        } else if (event instanceof Deadline deadline && deadline.step() == step) {
            endStep();
        }
    }

    private void take(SumMessage message) {
        if (!(message instanceof SumMessage.Row row)) {
            server.accept(message);
        } else if (server.added(row.device())) {
            sum.add(row.values());
        }
    }

    private void endStep() {
        step++;
        for (SumMessage message : server.endStep()) {
            if (message instanceof SumMessage.Delivery delivery) {
                calendar.plan(1, new Told(delivery.device(), message));
            } else {
                devices.keySet().forEach(id -> calendar.plan(1, new Told(id, message)));
            }
        }
        calendar.plan(deadlineMicros, new Deadline(step));
    }

    private void answer(int id, SumMessage message) {
        Device device = devices.get(id);
        SumMessage travelled = travelled(message);
        try {
            SumMessage.FromDevice answer;
            if (travelled instanceof SumMessage.Roster roster) {
                answer = device.machine.share(roster);
            } else if (travelled instanceof SumMessage.Delivery delivery) {
                answer = device.machine.mask(delivery, values.get(id));
            } else {
                answer = device.machine.reveal((SumMessage.Closing) travelled);
            }
            device.answered.add(travelled);
            send(id, answer);
        } catch (IllegalArgumentException e) {
            return; // the device was too late for an earlier step
        }
        if (random.nextDouble() < RESTART_RATE) {
            device.machine = new SumDevice(task, id, device.secret, device.answered);
        }
    }

    private void send(int id, SumMessage.FromDevice message) {
        DeviceBehavior behavior =
                behaviors.getOrDefault(id, DeviceBehavior.leavingAfter(DeviceBehavior.ALL));
        if (devices.get(id).steps++ < behavior.steps()) {
            calendar.plan(
                    behavior.delayMicros(),
                    new Sent((SumMessage.FromDevice) travelled(behavior.says().apply(message))));
        }
    }

    private static SumMessage travelled(SumMessage message) {
        return SumMessageCodec.INSTANCE.of(SumMessageCodec.INSTANCE.bytes(message));
    }
}
