package dev.levee.benchmarks.kafka;

import com.sun.management.ThreadMXBean;

import dev.levee.benchmarks.Machine;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.operators.testing.BrokenInvariantException;
import dev.levee.operators.testing.fuzz.FrameFuzz;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Reads many corrupted records of the wire format on all cores. Prints the outcomes, the allocation
 * per record, and whether any record was accepted or made the reader throw.
 */
public final class Fuzz {
    private static final long DEFAULT_COUNT = 20_000_000;
    private static final int STREAM = 10_000;
    private static final int SHOWN = 20;

    private final long first;
    private final long streams;
    private final AtomicLong next = new AtomicLong();
    private final AtomicLongArray outcomes = new AtomicLongArray(FrameFuzz.Outcome.values().length);
    private final AtomicLong allocated = new AtomicLong();
    private final AtomicLong mostAllocated = new AtomicLong();
    private final AtomicLong readNanos = new AtomicLong();
    private final List<String> broken = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong brokenCount = new AtomicLong();
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Fuzz(long first, long streams) {
        this.first = first;
        this.streams = streams;
    }

    /** Arguments: the number of records (twenty million), and the first seed (0). */
    public static void main(String[] args) throws InterruptedException {
        Machine.print();
        long count = args.length > 0 ? Long.parseLong(args[0]) : DEFAULT_COUNT;
        long first = args.length > 1 ? Long.parseLong(args[1]) : 0;
        new Fuzz(first, 2).run(); // loads classes before the measurement
        Fuzz fuzz = new Fuzz(first, (count + STREAM - 1) / STREAM);
        long start = System.nanoTime();
        fuzz.run();
        fuzz.print((System.nanoTime() - start) / 1e9);
    }

    private void run() throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        for (int core = 0; core < Runtime.getRuntime().availableProcessors(); core++) {
            Thread thread = new Thread(this::work, "fuzz " + core);
            thread.start();
            workers.add(thread);
        }
        for (Thread worker : workers) {
            worker.join();
        }
    }

    private void work() {
        for (long i = next.getAndIncrement(); i < streams; i = next.getAndIncrement()) {
            FrameFuzz fuzz = new FrameFuzz(first + i);
            byte[][] records = new byte[STREAM][];
            for (int r = 0; r < STREAM; r++) {
                records[r] = fuzz.next();
            }
            measure(records);
            for (byte[] record : records) {
                try {
                    outcomes.incrementAndGet(fuzz.judge(record).ordinal());
                } catch (BrokenInvariantException e) {
                    if (brokenCount.incrementAndGet() <= SHOWN) {
                        broken.add(e.getMessage());
                    }
                }
            }
        }
    }

    private void measure(byte[][] records) {
        long self = Thread.currentThread().getId();
        long most = 0;
        long start = threads.getThreadAllocatedBytes(self);
        long before = start;
        for (byte[] record : records) {
            read(record);
            long after = threads.getThreadAllocatedBytes(self);
            most = Math.max(most, after - before);
            before = after;
        }
        allocated.addAndGet(before - start);
        mostAllocated.accumulateAndGet(most, Math::max);
        long begin = System.nanoTime();
        for (byte[] record : records) {
            read(record);
        }
        readNanos.addAndGet(System.nanoTime() - begin);
    }

    private void read(byte[] record) {
        try {
            Frame.read(record);
        } catch (RuntimeException e) {
            // The check of the record reports this failure.
        }
    }

    private void print(double seconds) {
        long count = streams * STREAM;
        System.out.printf(
                Locale.ROOT,
                "%d records in %.1f s, %.0f a second; Frame.read alone %.0f ns each%n",
                count,
                seconds,
                count / seconds,
                (double) readNanos.get() / count);
        long judged = brokenCount.get();
        for (FrameFuzz.Outcome outcome : FrameFuzz.Outcome.values()) {
            judged += outcomes.get(outcome.ordinal());
            System.out.printf("%s %d%n", outcome, outcomes.get(outcome.ordinal()));
        }
        System.out.printf(
                Locale.ROOT,
                "Frame.read allocated %.0f bytes on average, %d at most%n",
                (double) allocated.get() / count,
                mostAllocated.get());
        broken.forEach(System.out::println);
        System.out.printf("%d broke a promise%n", brokenCount.get());
        if (judged < count) {
            throw new IllegalStateException("a thread died: " + judged + " records were judged");
        }
        if (brokenCount.get() > 0) {
            throw new IllegalStateException(brokenCount + " records broke a promise");
        }
    }
}
