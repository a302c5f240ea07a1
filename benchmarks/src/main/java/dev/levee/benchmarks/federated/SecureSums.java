package dev.levee.benchmarks.federated;

import dev.levee.benchmarks.Machine;
import dev.levee.operators.rounds.codec.SumMessageCodec;
import dev.levee.operators.rounds.securesum.MaskedSum;
import dev.levee.operators.rounds.securesum.SumDevice;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.securesum.SumOutcome;
import dev.levee.operators.rounds.securesum.SumServer;
import dev.levee.operators.rounds.securesum.SumTask;
import dev.levee.operators.rounds.securesum.plan.SumRates;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Measures a secure sum that continues without devices that leave. As many devices as tolerated
 * leave at the worst moment: after all have shared their secrets and before they send values. Then
 * the masks of each are in the rows of all its neighbors. Prints processor time and bytes of a
 * device and of the server, on one thread.
 */
public final class SecureSums {
    private static final double MEGA = 1e6;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final SumTask task;
    private final int length;
    private final TreeMap<Integer, SumDevice> devices = new TreeMap<>();
    private final SumServer server;
    private final MaskedSum sum;
    private final int[] expected;

    /** Processor time in nanoseconds by activity, in total for all devices, or for the server. */
    private final Map<String, Long> nanos = new TreeMap<>();

    private long up;
    private long down;

    private SecureSums(int asked, int length, SumRates rates) {
        this.length = length;
        task = new SumTask(1, 1, asked, rates);
        for (int i = 0; i < asked; i++) {
            int id = i;
            byte[] secret = ByteBuffer.allocate(32).putInt(i).array();
            devices.put(id, timed("1 keys", () -> new SumDevice(task, id, secret)));
        }
        server = new SumServer(task, new TreeSet<>(devices.keySet()));
        sum = new MaskedSum(length);
        expected = new int[length];
    }

    /** Arguments: devices (1000), values of each (1000000), rates (dropout=0.2,collude=0.1). */
    public static void main(String[] args) {
        int asked = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
        int length = args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000;
        SumRates rates = SumRates.parse(args.length > 2 ? args[2] : "dropout=0.2,collude=0.1");
        Machine.print();
        System.out.printf("%s%n%d values of 32 bits a device%n%n", rates.plan(asked), length);
        new SecureSums(asked, length, rates).run();
    }

    private void run() {
        devices.values().forEach(device -> send(timed("1 keys", device::keys)));
        SumMessage.Roster roster = (SumMessage.Roster) endStep().get(0);
        devices.values().forEach(device -> send(timed("2 shares", () -> device.share(roster))));
        // The worst moment for devices to leave.
        int leaving = task.rates().plan(task.asked()).leaving();
        for (int i = 0; i < leaving; i++) {
            devices.remove((int) ((long) i * task.asked() / leaving));
        }
        for (SumMessage message : endStep()) {
            SumMessage.Delivery delivery = (SumMessage.Delivery) message;
            if (devices.containsKey(delivery.device())) {
                int[] values = values(delivery.device());
                SumDevice device = devices.get(delivery.device());
                send(timed("3 mask", () -> device.mask(delivery, values)));
            }
        }
        SumMessage.Closing closing = (SumMessage.Closing) endStep().get(0);
        devices.values().forEach(device -> send(timed("4 reveal", () -> device.reveal(closing))));
        endStep();
        SumOutcome outcome = server.outcome().orElseThrow();
        if (!(outcome instanceof SumOutcome.Unmasked unmasked)) {
            throw new IllegalStateException(outcome.toString());
        }
        timed(
                "server: take masks off",
                () -> {
                    sum.remove(unmasked.masks());
                    return unmasked;
                });
        print(unmasked, Arrays.equals(sum.values(), expected));
    }

    private List<SumMessage> endStep() {
        List<SumMessage> messages = timed("server: steps", server::endStep);
        for (SumMessage message : messages) {
            int readers = message instanceof SumMessage.Delivery ? 1 : devices.size();
            down += (long) readers * SumMessageCodec.INSTANCE.bytes(message).length;
        }
        return messages;
    }

    private void send(SumMessage.FromDevice message) {
        up += SumMessageCodec.INSTANCE.bytes(message).length;
        if (message instanceof SumMessage.Row row) {
            timed(
                    "server: add rows",
                    () -> {
                        server.added(row.device());
                        sum.add(row.values());
                        return row;
                    });
        } else {
            timed("server: steps", () -> server.accept(message));
        }
    }

    /** Draws a device's values, and adds them to the expected sum. */
    private int[] values(int device) {
        int[] values = new int[length];
        for (int i = 0; i < length; i++) {
            values[i] = (device + 1) * 0x9E3779B9 ^ i * 0x85EBCA6B;
            expected[i] += values[i];
        }
        return values;
    }

    private <T> T timed(String what, Supplier<T> work) {
        long start = THREADS.getCurrentThreadCpuTime();
        T result = work.get();
        nanos.merge(what, THREADS.getCurrentThreadCpuTime() - start, Long::sum);
        return result;
    }

    private void print(SumOutcome.Unmasked unmasked, boolean exact) {
        int stayed = unmasked.stayed().size();
        System.out.printf(
                Locale.ROOT,
                "%d of %d have stayed, %d masks taken off, the sum is %s%n%n",
                stayed,
                task.asked(),
                unmasked.masks().size(),
                exact ? "exact" : "WRONG");
        System.out.println("| what | ms a device | s of the server |");
        System.out.println("|---".repeat(3) + "|");
        nanos.forEach(
                (what, time) -> {
                    boolean early = what.startsWith("1") || what.startsWith("2");
                    System.out.printf(
                            Locale.ROOT,
                            what.startsWith("server") ? "| %s | | %.2f |%n" : "| %s | %.1f | |%n",
                            what,
                            what.startsWith("server")
                                    ? time / 1e9
                                    : time / MEGA / (early ? task.asked() : stayed));
                });
        long plain = (long) stayed * length * Integer.BYTES;
        System.out.printf(
                Locale.ROOT,
                "%nbytes of all devices: %.1f MB sent, %.3f times those of the values alone; %.1f"
                        + " MB received besides the model, %.0f kB a device%n",
                up / MEGA,
                up / (double) plain,
                down / MEGA,
                down / 1e3 / task.asked());
    }
}
