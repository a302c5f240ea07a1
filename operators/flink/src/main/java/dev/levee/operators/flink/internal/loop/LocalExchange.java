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
 * Passes records of one run between subtasks of one process: the reader gets the same object, and
 * only a handle travels through Flink's network stack. Readers register by operator and by index (a
 * block, or a subtask of an operator that is broadcast to); a record for a reader elsewhere is
 * serialized.
 *
 * <p>An exchange lives as long as it has readers. After a failure all of them close before the next
 * attempt opens, so no record that was in transit is kept. Barriers are aligned on the loop's
 * edges, so no checkpoint holds a handle.
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

    /** The exchange of each run that one job alone has in this process. */
    private static final Map<Long, LocalExchange> BY_RUN = new ConcurrentHashMap<>();

    /** Drawn at random, so that a handle that came to another process is found out. */
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

        /** Reads the records for this index from now on. */
        public void read(int index) {
            Place place = new Place(operator, index);
            places.add(place);
            exchange.places.merge(place, 1, Integer::sum);
        }

        /** Reads broadcast records as subtask {@code index} of {@code parallelism}. */
        public void readBroadcast(int index, int parallelism) {
            exchange.parallelisms.put(operator, parallelism);
            read(index);
        }

        /** Where workers of this process put models together. */
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
            // Counted last, when nothing can fail any more, because counted readers must close.
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

    /** A serializer knows the run and not the job: of two jobs with one run, neither exchanges. */
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
     * The lowest index that is read of an operator that is broadcast to, or that has its subtasks
     * counted the same way; −1 if none is.
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

    /** Number of subtasks that read what is broadcast to an operator; 0 unless all are here. */
    public int broadcastReaders(String operator) {
        int parallelism = parallelisms.getOrDefault(operator, 0);
        for (int index = 0; index < parallelism; index++) {
            if (!reads(operator, index)) {
                return 0;
            }
        }
        return parallelism;
    }

    /** The ways for sums that this process was told of. */
    public SumTrees trees() {
        return trees;
    }

    /** Keeps a record until so many have taken it; returns its handle. */
    public long put(Object record, int readers) {
        long handle = handles.getAndIncrement();
        parcels.put(handle, new Parcel(record, readers));
        return handle;
    }

    /**
     * Takes the record behind a handle.
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

    /** Number of records that are on their way. */
    int held() {
        return parcels.size();
    }
}
