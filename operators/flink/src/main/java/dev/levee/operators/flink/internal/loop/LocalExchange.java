package dev.levee.operators.flink.internal.loop;

import dev.levee.operators.rounds.participant.ModelArrays;
import dev.levee.operators.rounds.transfer.SumTrees;

import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Passes records of one run by reference between subtasks of one process: only a handle goes
 * through Flink's network stack. Readers register by operator and index, which is a block, or a
 * subtask if records are broadcast. A record for a reader in another process is serialized.
 *
 * <p>An exchange exists as long as it has readers. After a failure, all of them close before the
 * next attempt opens, so no record in transit is kept. Barriers are aligned on the loop's edges, so
 * no checkpoint contains a handle.
 */
public final class LocalExchange {
    private record Owner(String job, long run) {}

    private record Place(String operator, int index) {}

    private static final class Parcel {
        private final Object record;
        private final AtomicInteger readers;

        private Parcel(Object record, int readers) {
            this.record = record;
            this.readers = new AtomicInteger(readers);
        }
    }

    private static final Map<Owner, LocalExchange> OPEN = new HashMap<>();
    private static final Map<Long, LocalExchange> BY_ID = new ConcurrentHashMap<>();

    /** The exchanges by run, for runs that belong to only one job in this process. */
    private static final Map<Long, LocalExchange> BY_RUN = new ConcurrentHashMap<>();

    /** A random id, so a handle that reaches another process is detected. */
    private final long id = UUID.randomUUID().getMostSignificantBits();

    private final Owner owner;
    private final AtomicLong handles = new AtomicLong();
    private final Map<Long, Parcel> parcels = new ConcurrentHashMap<>();
    private final Map<Place, Integer> places = new ConcurrentHashMap<>();
    private final Map<String, Integer> parallelisms = new ConcurrentHashMap<>();
    private final SumTrees trees = new SumTrees();
    private final ModelArrays models = new ModelArrays();
    private int readers;

    private LocalExchange(Owner owner) {
        this.owner = owner;
    }

    /** One reading subtask of an operator. */
    public static final class Reader implements AutoCloseable {
        private final LocalExchange exchange;
        private final String operator;
        private final List<Place> places = new ArrayList<>();

        private Reader(LocalExchange exchange, String operator) {
            this.exchange = exchange;
            this.operator = operator;
        }

        /** Registers this reader for the records of an index. */
        public void read(int index) {
            Place place = new Place(operator, index);
            places.add(place);
            exchange.places.merge(place, 1, Integer::sum);
        }

        /**
         * Registers this reader for broadcast records, as subtask {@code index} of {@code
         * parallelism}.
         */
        public void readBroadcast(int index, int parallelism) {
            exchange.parallelisms.put(operator, parallelism);
            read(index);
        }

        /** The arrays in which workers of this process assemble models. */
        public ModelArrays models() {
            return exchange.models;
        }

        @Override
        public void close() {
            for (Place place : places) {
                exchange.places.computeIfPresent(place, (p, n) -> n == 1 ? null : n - 1);
            }
            places.clear();
            exchange.leave();
        }
    }

    /** Opens a reader in a task of a run. */
    public static Reader reader(long run, String operator, StreamingRuntimeContext context) {
        return reader(context.getJobInfo().getJobId().toString(), run, operator);
    }

    /** Opens a reader in a job. */
    public static Reader reader(String job, long run, String operator) {
        synchronized (OPEN) {
            LocalExchange exchange = OPEN.computeIfAbsent(new Owner(job, run), LocalExchange::new);
            BY_ID.put(exchange.id, exchange);
            index(run);
            Reader reader = new Reader(exchange, operator);
            // Readers are counted last, when nothing can fail anymore, because counted readers must
            // close.
            exchange.readers++;
            return reader;
        }
    }

    private void leave() {
        synchronized (OPEN) {
            if (--readers == 0) {
                OPEN.remove(owner);
                BY_ID.remove(id);
                index(owner.run());
            }
        }
    }

    /**
     * Indexes exchanges by run, because a serializer does not know its job. If two jobs have the
     * same run, neither uses an exchange.
     */
    private static void index(long run) {
        List<LocalExchange> those =
                OPEN.values().stream().filter(each -> each.owner.run() == run).toList();
        if (those.size() == 1) {
            BY_RUN.put(run, those.get(0));
        } else {
            BY_RUN.remove(run);
        }
    }

    /** The exchange of a run in this process, null if there is none. */
    public static LocalExchange of(long run) {
        return BY_RUN.get(run);
    }

    /** Number of runs that have an exchange in this process. */
    public static int count() {
        synchronized (OPEN) {
            return OPEN.size();
        }
    }

    /** Prefix of this exchange's handles. */
    public long id() {
        return id;
    }

    /** True if this process reads the records for this index of an operator. */
    public boolean reads(String operator, int index) {
        return places.containsKey(new Place(operator, index));
    }

    /**
     * The lowest subtask of an operator with registered broadcast readers in this process; −1 if
     * there is none.
     */
    public int lowest(String operator) {
        int parallelism = parallelisms.getOrDefault(operator, 0);
        for (int index = 0; index < parallelism; index++) {
            if (reads(operator, index)) {
                return index;
            }
        }
        return -1;
    }

    /** Number of subtasks that read broadcasts to an operator; 0 unless all are in this process. */
    public int broadcastReaders(String operator) {
        int parallelism = parallelisms.getOrDefault(operator, 0);
        for (int index = 0; index < parallelism; index++) {
            if (!reads(operator, index)) {
                return 0;
            }
        }
        return parallelism;
    }

    /** The trees of sums that this process has received. */
    public SumTrees trees() {
        return trees;
    }

    /** Stores a record until a number of readers have taken it; returns its handle. */
    public long put(Object record, int readers) {
        long handle = handles.getAndIncrement();
        parcels.put(handle, new Parcel(record, readers));
        return handle;
    }

    /**
     * Takes the record of a handle.
     *
     * @throws IllegalStateException if it is not in this process, or all readers have taken it
     */
    public static Object take(long exchange, long handle) {
        LocalExchange here = BY_ID.get(exchange);
        Parcel parcel = here == null ? null : here.parcels.get(handle);
        if (parcel == null) {
            throw new IllegalStateException(
                    "record "
                            + handle
                            + " of exchange "
                            + Long.toHexString(exchange)
                            + " was sent by reference and is not in this process");
        }
        if (parcel.readers.decrementAndGet() == 0) {
            here.parcels.remove(handle);
        }
        return parcel.record;
    }

    /** Number of records in transit. */
    int held() {
        return parcels.size();
    }
}
