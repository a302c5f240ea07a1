package dev.levee.featureextraction.batch;

import static java.util.stream.Collectors.toSet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Requests of all tenants that wait for memory and for one of a few threads. Whenever a thread has
 * nothing to do the planner decides over all that wait. It shares out what neither requests that
 * run and answers that are not sent yet take by their shapes, nor the process by measurement, and
 * leaves alone the shares of threads for which nothing waits. For as many threads as there are.
 *
 * @param <T> what is asked for
 */
public final class RequestQueue<T> {
    /** Of more than these, those for whom nothing waits are forgotten. */
    private static final int MOST_TENANTS = 1000;

    private final BatchPlanner planner;
    private final long all;
    private final int places;
    private final LongSupplier measured;
    private final Map<String, T> asked = new HashMap<>();
    private final Map<String, Long> latest = new HashMap<>();
    private final Queue<Granted> granted = new ArrayDeque<>();
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
        this.planner = planner;
        this.all = all;
        this.places = places;
        this.measured = measured;
    }

    /** What a request was given; closing gives back what is left of it. */
    public final class Granted implements AutoCloseable {
        private final T what;
        private final int batch;
        private long bytes;
        private boolean runs = true;

        private Granted(T what, int batch, long bytes) {
            this.what = what;
            this.batch = batch;
            this.bytes = bytes;
        }

        /** What was asked for. */
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
                    "request %s needs %d bytes for its layers and its answer and %d for each image, more than the %d there are"
                            .formatted(
                                    request.id(), request.modelBytes(), request.imageBytes(), all));
        }
        waiting.add(request);
        asked.put(request.id(), what);
        plan();
    }

    /** Forgets those that nobody waits for any more. */
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
        // What is measured holds garbage too, which must not stop a process that computes nothing.
        long used = running == 0 ? taken : Math.max(taken, measured.getAsLong());
        BatchPlan plan = planner.plan(waiting, Math.max(0, all - used - kept), all, free, latest);
        waiting = new ArrayList<>(plan.waiting());
        for (BatchPlan.Grant grant : plan.grants()) {
            BatchRequest request = grant.request();
            latest.put(request.tenant(), plans);
            granted.add(
                    new Granted(
                            asked.remove(request.id()),
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

    /** Requests that wait. */
    public synchronized int waiting() {
        return waiting.size();
    }

    /** Requests that are computed. */
    public synchronized int running() {
        return running;
    }

    /** How often the planner has decided. */
    public synchronized long plans() {
        return plans;
    }

    /** Bytes that requests and answers have now, by their shapes. */
    public synchronized long taken() {
        return taken;
    }
}
