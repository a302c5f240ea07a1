package dev.levee.featureextraction.batch;

import static java.util.stream.Collectors.toSet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Requests of all tenants that wait for memory and for one of a few threads. Whenever a thread has
 * nothing to do the planner decides over all that wait. It shares out what neither requests that
 * run and answers that are not sent yet take by their shapes, nor the process by measurement, and
 * leaves alone the shares of threads for which nothing waits. For as many threads as there are.
 *
 * @param <T> the task for
 */
public final class RequestQueue<T> {
    /** Above this number, tenants without waiting requests are forgotten. */
    private static final int MOST_TENANTS = 1000;

    /**
     * Number of latest requests that estimate the time of a request, which depends on the tenants.
     */
    private static final int LATEST = 64;

    private final BatchPlanner planner;
    private final long all;
    private final int places;
    private final LongSupplier measured;
    private final LongSupplier clock;
    private final Map<String, T> asked = new HashMap<>();
    private final Map<String, Long> latest = new HashMap<>();
    private final Queue<Granted> granted = new ArrayDeque<>();
    private final Map<String, Integer> computed = new HashMap<>();
    private final Deque<Long> durations = new ArrayDeque<>();
    private List<BatchRequest> waiting = new ArrayList<>();
    private int idle;
    private int running;
    private long taken;
    private long plans;

    /**
     * @param all bytes there are
     * @param places threads that will {@link #take}
     * @param measured bytes that are in use, whoever uses them
     */
    public RequestQueue(BatchPlanner planner, long all, int places, LongSupplier measured) {
        this(planner, all, places, measured, System::nanoTime);
    }

    /** The same by a monotonic clock of nanoseconds. */
    RequestQueue(
            BatchPlanner planner, long all, int places, LongSupplier measured, LongSupplier clock) {
        this.planner = planner;
        this.all = all;
        this.places = places;
        this.measured = measured;
        this.clock = clock;
    }

    /** The memory that a request was given; closing it returns what is left. */
    public final class Granted implements AutoCloseable {
        private final T what;
        private final String tenant;
        private final int batch;
        private final long start = clock.getAsLong();
        private long bytes;
        private boolean runs = true;

        private Granted(T what, String tenant, int batch, long bytes) {
            this.what = what;
            this.tenant = tenant;
            this.batch = batch;
            this.bytes = bytes;
            computed.merge(tenant, 1, Integer::sum);
        }

        /** The request. */
        public T what() {
            return what;
        }

        /** Images at a time. */
        public int batch() {
            return batch;
        }

        /** Ends the computation, of which only so many bytes are still held. */
        public void keep(long kept) {
            synchronized (RequestQueue.this) {
                end();
                taken -= bytes - kept;
                bytes = kept;
                plan();
            }
        }

        @Override
        public void close() {
            keep(0);
        }

        private void end() {
            if (runs) {
                runs = false;
                running--;
                computed.computeIfPresent(tenant, (name, many) -> many == 1 ? null : many - 1);
                durations.addLast(clock.getAsLong() - start);
                if (durations.size() > LATEST) {
                    durations.removeFirst();
                }
            }
        }
    }

    /**
     * Lets a request wait.
     *
     * @throws IllegalArgumentException if even its smallest batch needs more than there is; one
     *     sentence
     */
    public synchronized void add(BatchRequest request, T what) {
        if (!planner.fits(request, all)) {
            throw new IllegalArgumentException(
                    ("request %s needs %d bytes for its layers and its answer and %d per "
                                    + "image, more than the available %d")
                            .formatted(
                                    request.id(), request.modelBytes(), request.imageBytes(), all));
        }
        waiting.add(request);
        asked.put(request.id(), what);
        plan();
    }

    /** Removes requests for which no client waits any more. */
    public synchronized void remove(Predicate<T> unwanted) {
        waiting.removeIf(request -> unwanted.test(asked.get(request.id())));
        asked.values().removeIf(unwanted);
    }

    /** Waits until this thread has something to do. */
    public synchronized Granted take() throws InterruptedException {
        idle++;
        try {
            plan();
            while (granted.isEmpty()) {
                wait();
            }
            return granted.remove();
        } finally {
            idle--;
        }
    }

    private void plan() {
        int free = idle - granted.size();
        if (free == 0 || waiting.isEmpty()) {
            return;
        }
        plans++;
        long kept = all / places * Math.max(0, places - running - waiting.size());
        // Measured memory includes garbage, which must not block a process that computes nothing.
        long used = running == 0 ? taken : Math.max(taken, measured.getAsLong());
        BatchPlan plan = planner.plan(waiting, Math.max(0, all - used - kept), all, free, latest);
        waiting = new ArrayList<>(plan.waiting());
        for (BatchPlan.Grant grant : plan.grants()) {
            BatchRequest request = grant.request();
            latest.put(request.tenant(), plans);
            granted.add(
                    new Granted(
                            asked.remove(request.id()),
                            request.tenant(),
                            grant.batch(),
                            request.bytes(grant.batch())));
        }
        running += plan.grants().size();
        taken += plan.bytes();
        if (latest.size() > MOST_TENANTS) {
            latest.keySet().retainAll(waiting.stream().map(BatchRequest::tenant).collect(toSet()));
        }
        notifyAll();
    }

    /**
     * After how many seconds all requests of a tenant that wait now will have been started, as long
     * as no further tenant comes, requests take no longer than the slowest of the latest {@value
     * #LATEST} did, and answers leave. Even one after the other no more than these come before the
     * last of them: those that run; one of each tenant in each of its turns; and, where memory is
     * short, those that overtake it, in {@link BatchPlanner#patience()} plans. 0 if none waits, not
     * a number until a request has ended.
     */
    public synchronized double longestWait(String tenant) {
        Set<String> tenants = new HashSet<>(computed.keySet());
        long turns = 0;
        for (BatchRequest request : waiting) {
            tenants.add(request.tenant());
            turns += request.tenant().equals(tenant) ? 1 : 0;
        }
        if (turns == 0) {
            return 0;
        }
        long before = running + turns * tenants.size() - 1 + (long) planner.patience() * places;
        return durations.isEmpty() ? Double.NaN : before * Collections.max(durations) / 1e9;
    }

    /** The longest {@link #longestWait} of all waiting requests. */
    public synchronized double longestWait() {
        return waiting.stream()
                .map(BatchRequest::tenant)
                .distinct()
                .mapToDouble(this::longestWait)
                .max()
                .orElse(0);
    }

    /** Requests that wait. */
    public synchronized int waiting() {
        return waiting.size();
    }

    /** Requests that are computed. */
    public synchronized int running() {
        return running;
    }

    /** Number of decisions of the planner. */
    public synchronized long plans() {
        return plans;
    }

    /** Bytes that requests and answers have now, by their shapes. */
    public synchronized long taken() {
        return taken;
    }
}
