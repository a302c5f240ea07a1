package dev.levee.featureextraction.batch;

import static java.util.stream.Collectors.toSet;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
 * A queue of requests of all tenants, which wait for memory and for one of a few threads. Whenever
 * a thread is idle, the planner decides about all waiting requests. Used memory is the larger of
 * two numbers: the memory of running requests and unsent answers, computed from their shapes, and
 * the measured memory of the process. The planner gets the rest, minus the shares of threads for
 * which no request is left. If that is too little for any request, it gets those shares, too, one
 * by one.
 *
 * @param <T> the type of a request's task
 */
public final class RequestQueue<T> {
    /** Above this number, tenants without waiting requests are forgotten. */
    private static final int MOST_TENANTS = 1000;

    /** Number of recent requests from which the duration of a request is estimated. */
    private static final int LATEST = 64;

    /** Time after its last image for which a running request still counts as a longer one. */
    private static final long QUIET_NANOS = Duration.ofMinutes(5).toNanos();

    private final BatchPlanner planner;
    private final long all;
    private final int places;
    private final LongSupplier measured;
    private final LongSupplier clock;
    private final Map<String, T> asked = new HashMap<>();
    private final Map<String, Long> latest = new HashMap<>();
    private final Queue<Granted> granted = new ArrayDeque<>();
    private final Set<Granted> open = new HashSet<>();
    private final Deque<Long> durations = new ArrayDeque<>();
    private List<BatchRequest> waiting = new ArrayList<>();
    private int idle;
    private int running;
    private long taken;
    private long plans;

    /**
     * @param all total memory in bytes
     * @param places number of threads that {@link #take} requests
     * @param measured the measured memory of the process in bytes
     */
    public RequestQueue(BatchPlanner planner, long all, int places, LongSupplier measured) {
        this(planner, all, places, measured, System::nanoTime);
    }

    /** As above, with a monotonic clock in nanoseconds. */
    RequestQueue(
            BatchPlanner planner, long all, int places, LongSupplier measured, LongSupplier clock) {
        this.planner = planner;
        this.all = all;
        this.places = places;
        this.measured = measured;
        this.clock = clock;
    }

    /**
     * A request that runs, with the memory that it was granted. Closing it returns the remaining
     * memory.
     */
    public final class Granted implements AutoCloseable {
        private final T what;
        private final String tenant;
        private final int batch;
        private long since = clock.getAsLong();
        private volatile long progressed = since;
        private long bytes;
        private boolean runs = true;

        private Granted(T what, String tenant, int batch, long bytes) {
            this.what = what;
            this.tenant = tenant;
            this.batch = batch;
            this.bytes = bytes;
        }

        /** The task of the request. */
        public T what() {
            return what;
        }

        /** Number of images to process at a time. */
        public int batch() {
            return batch;
        }

        /** Reports that the request has read or computed an image. */
        public void progress() {
            progressed = clock.getAsLong();
        }

        /** Ends the computation. The request then holds only {@code kept} bytes. */
        public void keep(long kept) {
            synchronized (RequestQueue.this) {
                end();
                taken -= bytes - kept;
                bytes = kept;
                plan();
            }
        }

        /** Nanoseconds since it started to run or, if it has ended, since then. */
        private long age() {
            return clock.getAsLong() - since;
        }

        @Override
        public void close() {
            synchronized (RequestQueue.this) {
                open.remove(this);
                keep(0);
            }
        }

        private void end() {
            if (runs) {
                runs = false;
                running--;
                durations.addLast(age());
                since += durations.getLast();
                if (durations.size() > LATEST) {
                    durations.removeFirst();
                }
            }
        }
    }

    /**
     * Adds a request to the queue.
     *
     * @throws IllegalArgumentException if its smallest batch needs more than the total memory; one
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
        plan();
    }

    /** Waits until a request is granted to this thread. */
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
        long share = all / places;
        long kept = share * Math.max(0, places - running - waiting.size());
        // Measured memory includes garbage, which must not block an idle process.
        long used = running == 0 ? taken : Math.max(taken, measured.getAsLong());
        BatchPlan plan = plan(free, used + kept);
        // A request that needs more than its share gets the shares of threads without requests.
        // Otherwise the last requests of a run could wait forever, because no event would follow.
        while (plan.grants().isEmpty() && kept > 0) {
            kept -= share;
            plan = plan(free, used + kept);
        }
        waiting = new ArrayList<>(plan.waiting());
        for (BatchPlan.Grant grant : plan.grants()) {
            BatchRequest request = grant.request();
            latest.put(request.tenant(), plans);
            Granted next =
                    new Granted(
                            asked.remove(request.id()),
                            request.tenant(),
                            grant.batch(),
                            request.bytes(grant.batch()));
            granted.add(next);
            open.add(next);
        }
        running += plan.grants().size();
        taken += plan.bytes();
        if (latest.size() > MOST_TENANTS) {
            latest.keySet().retainAll(waiting.stream().map(BatchRequest::tenant).collect(toSet()));
        }
        notifyAll();
    }

    private BatchPlan plan(int free, long used) {
        return planner.plan(waiting, Math.max(0, all - used), all, free, latest);
    }

    /**
     * Upper bound of the seconds after which all waiting requests of a tenant will have started. It
     * assumes that no further tenant comes, that requests take no longer than the slowest of the
     * running ones and the latest {@value #LATEST}, and that answers are sent. The bound assumes
     * that requests run one after the other. Before the tenant's last request come the running
     * requests, one request of each tenant per turn, and, if memory is short, the requests that
     * overtake it in {@link BatchPlanner#patience()} plans. The bound grows while a request runs
     * longer than all before, up to 5 minutes after its last image, so that clients give up a store
     * that hangs. It also grows while waiting requests need the memory of unsent answers. 0 if no
     * request waits, NaN until one has started.
     */
    public synchronized double longestWait(String tenant) {
        Set<String> tenants = new HashSet<>();
        long slowest = durations.stream().mapToLong(Long::longValue).max().orElse(-1);
        long unsent = 0;
        boolean crowded = crowded();
        for (Granted each : open) {
            if (each.runs) {
                tenants.add(each.tenant);
                long quiet = each.progressed + QUIET_NANOS - each.since;
                slowest = Math.max(slowest, Math.min(each.age(), quiet));
            } else if (crowded) {
                unsent = Math.max(unsent, each.age());
            }
        }
        long turns = 0;
        for (BatchRequest request : waiting) {
            tenants.add(request.tenant());
            turns += request.tenant().equals(tenant) ? 1 : 0;
        }
        if (turns == 0) {
            return 0;
        }
        long before = running + turns * tenants.size() - 1 + (long) planner.patience() * places;
        return slowest < 0 ? Double.NaN : (before * slowest + unsent) / 1e9;
    }

    /** True if a waiting request does not fit into the memory beside the unsent answers. */
    private boolean crowded() {
        long unsent = open.stream().mapToLong(each -> each.runs ? 0 : each.bytes).sum();
        return waiting.stream().anyMatch(request -> !planner.fits(request, all - unsent));
    }

    /** True if other requests wait for memory while unsent answers of {@code these} hold some. */
    public synchronized boolean blocked(Predicate<T> these) {
        return crowded()
                && open.stream().anyMatch(each -> !each.runs && these.test(each.what))
                && waiting.stream().anyMatch(request -> !these.test(asked.get(request.id())));
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

    /** Number of waiting requests. */
    public synchronized int waiting() {
        return waiting.size();
    }

    /** Number of running requests. */
    public synchronized int running() {
        return running;
    }

    /** Number of decisions of the planner. */
    public synchronized long plans() {
        return plans;
    }

    /** Memory of running requests and unsent answers in bytes, computed from their shapes. */
    public synchronized long taken() {
        return taken;
    }
}
