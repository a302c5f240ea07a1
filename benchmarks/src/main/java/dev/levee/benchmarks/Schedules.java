package dev.levee.benchmarks;

import dev.levee.operators.testing.BrokenInvariantException;
import dev.levee.operators.testing.Schedule;
import dev.levee.operators.testing.ServedSchedule;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Runs very many simulated schedules of the round protocol on all cores, and says which of them
 * broke a promise. Each is a function of its seed, so a failure can be run again by {@code
 * ScheduleTest}, or by {@code ServedScheduleTest} where workers are outside the job.
 */
public final class Schedules {
    private static final long DEFAULT_COUNT = 1_000_000;
    private static final long PROGRESS_NANOS = 10_000_000_000L;
    private static final int SHOWN = 20;

    private final long first;
    private final long count;
    private final boolean served;
    private final AtomicLong next = new AtomicLong();
    private final AtomicLongArray outcomes = new AtomicLongArray(Schedule.Outcome.values().length);
    private final List<String> broken = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong brokenCount = new AtomicLong();

    private Schedules(long first, long count, boolean served) {
        this.first = first;
        this.count = count;
        this.served = served;
    }

    /**
     * Takes the number of schedules, a million by default, the first seed, 0 by default, and
     * whether workers are outside the job, {@code served}.
     */
    public static void main(String[] args) throws InterruptedException {
        Machine.print();
        long count = args.length > 0 ? Long.parseLong(args[0]) : DEFAULT_COUNT;
        long first = args.length > 1 ? Long.parseLong(args[1]) : 0;
        new Schedules(first, count, args.length > 2 && args[2].equals("served")).run();
    }

    private void run() throws InterruptedException {
        long start = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int core = 0; core < Runtime.getRuntime().availableProcessors(); core++) {
            Thread thread = new Thread(this::work, "schedules " + core);
            thread.start();
            threads.add(thread);
        }
        long shown = start;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                thread.join(500);
                if (System.nanoTime() - shown > PROGRESS_NANOS) {
                    shown = System.nanoTime();
                    print(start);
                }
            }
        }
        print(start);
        for (String line : broken) {
            System.out.println(line);
        }
        if (brokenCount.get() > 0) {
            throw new IllegalStateException(brokenCount + " schedules broke a promise");
        }
    }

    private void work() {
        for (long i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
            try {
                outcomes.incrementAndGet(outcome(first + i).ordinal());
            } catch (BrokenInvariantException e) {
                if (brokenCount.incrementAndGet() <= SHOWN) {
                    broken.add((first + i) + ": " + e.getMessage());
                }
            }
        }
    }

    private Schedule.Outcome outcome(long seed) {
        if (!served) {
            return new Schedule(seed).run();
        }
        new ServedSchedule(seed).run();
        return Schedule.Outcome.EQUAL;
    }

    private void print(long start) {
        long done = Math.min(count, next.get());
        double seconds = (System.nanoTime() - start) / 1e9;
        double perSecond = done / seconds;
        System.out.printf(
                "%d of %d schedules, %.0f per second, %.0f s to go: %d equal a plain loop,"
                        + " %d done, %d stopped by more than f faults, %d broke a promise%n",
                done,
                count,
                perSecond,
                (count - done) / perSecond,
                outcomes.get(Schedule.Outcome.EQUAL.ordinal()),
                outcomes.get(Schedule.Outcome.DONE.ordinal()),
                outcomes.get(Schedule.Outcome.FAILED.ordinal()),
                brokenCount.get());
    }
}
