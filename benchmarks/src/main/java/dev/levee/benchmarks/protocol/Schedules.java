package dev.levee.benchmarks.protocol;

import dev.levee.benchmarks.Machine;
import dev.levee.operators.testing.BrokenInvariantException;
import dev.levee.operators.testing.fuzz.Schedule;
import dev.levee.operators.testing.fuzz.ServedSchedule;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Runs many simulated schedules of the round protocol on all cores, and prints those that violate
 * an invariant. Optionally only runs those with several servers. Each schedule is a function of its
 * seed, so {@code ScheduleTest}, or {@code ServedScheduleTest} for workers outside the job, can
 * repeat a failure.
 */
public final class Schedules {
    private static final long DEFAULT_COUNT = 1_000_000;
    private static final long PROGRESS_NANOS = 10_000_000_000L;
    private static final int SHOWN = 20;

    private final long first;
    private final long count;
    private final Kind kind;
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong skipped = new AtomicLong();
    private final AtomicLongArray outcomes = new AtomicLongArray(Schedule.Outcome.values().length);
    private final List<String> broken = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong brokenCount = new AtomicLong();

    /** The schedules to run. */
    private enum Kind {
        ALL,
        /**
         * Schedules with several servers: replicas, nodes on a graph, and crash-tolerant servers.
         */
        SERVERS,
        /** Schedules with workers outside the job, all with one server. */
        SERVED
    }

    private Schedules(long first, long count, Kind kind) {
        this.first = first;
        this.count = count;
        this.kind = kind;
    }

    /**
     * Arguments: the number of seeds (a million), the first seed (0), and the schedules to run,
     * {@code all} (the default), {@code servers} or {@code served}.
     */
    public static void main(String[] args) throws InterruptedException {
        Machine.print();
        long count = args.length > 0 ? Long.parseLong(args[0]) : DEFAULT_COUNT;
        long first = args.length > 1 ? Long.parseLong(args[1]) : 0;
        String kind = args.length > 2 ? args[2] : "all";
        new Schedules(first, count, Kind.valueOf(kind.toUpperCase(Locale.ROOT))).run();
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
                run(first + i);
            } catch (BrokenInvariantException e) {
                if (brokenCount.incrementAndGet() <= SHOWN) {
                    broken.add((first + i) + ": " + e.getMessage());
                }
            }
        }
    }

    private void run(long seed) {
        if (kind == Kind.SERVED) {
            new ServedSchedule(seed).run();
            outcomes.incrementAndGet(Schedule.Outcome.EQUAL.ordinal());
            return;
        }
        Schedule schedule = new Schedule(seed);
        if (kind == Kind.SERVERS && schedule.servers() == 1) {
            skipped.incrementAndGet();
        } else {
            outcomes.incrementAndGet(schedule.run().ordinal());
        }
    }

    private void print(long start) {
        long done = Math.min(count, next.get());
        double seconds = (System.nanoTime() - start) / 1e9;
        double perSecond = done / seconds;
        System.out.printf(
                "%d of %d seeds, %.0f per second, %.0f s to go: %d schedules equal a plain loop,"
                        + " %d done, %d stopped by more than f faults, %d broke a promise;"
                        + " %d not run%n",
                done,
                count,
                perSecond,
                (count - done) / perSecond,
                outcomes.get(Schedule.Outcome.EQUAL.ordinal()),
                outcomes.get(Schedule.Outcome.DONE.ordinal()),
                outcomes.get(Schedule.Outcome.FAILED.ordinal()),
                brokenCount.get(),
                skipped.get());
    }
}
