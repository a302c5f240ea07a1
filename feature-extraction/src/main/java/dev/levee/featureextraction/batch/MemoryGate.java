package dev.levee.featureextraction.batch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Memory that requests of one process share. Each asks for its batch and waits until the planner
 * has given it one; what it took is free again when it is done. For as many threads as there are.
 */
public final class MemoryGate {
    private final BatchPlanner planner;
    private final long all;
    private final Map<String, Integer> granted = new HashMap<>();
    private List<BatchRequest> waiting = new ArrayList<>();
    private long taken;

    /**
     * @param all bytes there are
     */
    public MemoryGate(BatchPlanner planner, long all) {
        this.planner = planner;
        this.all = all;
    }

    /** What a request was given; closing gives it back. */
    public final class Batch implements AutoCloseable {
        private final int size;
        private final long bytes;

        private Batch(int size, long bytes) {
            this.size = size;
            this.bytes = bytes;
        }

        /** Images at a time. */
        public int size() {
            return size;
        }

        @Override
        public void close() {
            synchronized (MemoryGate.this) {
                taken -= bytes;
                plan();
            }
        }
    }

    /**
     * Waits for a batch.
     *
     * @throws IllegalStateException if the smallest one needs more memory than there is; one
     *     sentence
     */
    public synchronized Batch take(BatchRequest request) throws InterruptedException {
        waiting.add(request);
        plan();
        try {
            while (!granted.containsKey(request.id())) {
                if (waiting.stream().noneMatch(each -> each.id().equals(request.id()))) {
                    throw new IllegalStateException(
                            "request %s needs %d bytes for its layers and %d for each image, more than the %d there are"
                                    .formatted(
                                            request.id(),
                                            request.modelBytes(),
                                            request.imageBytes(),
                                            all));
                }
                wait();
            }
        } catch (InterruptedException e) {
            giveUp(request);
            throw e;
        }
        int size = granted.remove(request.id());
        return new Batch(size, request.bytes(size));
    }

    private void giveUp(BatchRequest request) {
        Integer size = granted.remove(request.id());
        if (size == null) {
            waiting.removeIf(each -> each.id().equals(request.id()));
        } else {
            taken -= request.bytes(size);
        }
        plan();
    }

    private void plan() {
        BatchPlan plan = planner.plan(waiting, all - taken, all);
        waiting = new ArrayList<>(plan.waiting());
        for (BatchPlan.Grant grant : plan.grants()) {
            granted.put(grant.request().id(), grant.batch());
        }
        taken += plan.bytes();
        notifyAll();
    }

    /** Bytes that requests have now. */
    public synchronized long taken() {
        return taken;
    }
}
