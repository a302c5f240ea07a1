package dev.levee.featureextraction.batch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Shares the memory of a storage tier among waiting requests (HAPI, thesis, section 5.5.2). It
 * starts as many requests as fit with the smallest batch. Then all batches grow equally until the
 * memory is used up or each batch has its maximum.
 *
 * <p>Order: tenants take turns, each with its oldest request first, so that a tenant with many
 * requests cannot keep out another. Turns continue from one plan to the next. A request that does
 * not fit is left out, and later requests that fit run before it. After it has been overtaken
 * {@link #patience()} times, no request behind it starts until it has started; several such
 * requests are ordered by age. A request therefore waits at most for the requests before it in that
 * order and for {@code patience} plans.
 *
 * @param smallest images of the smallest batch worth running, 25 in the thesis
 * @param patience maximum number of times that a request may be overtaken
 */
public record BatchPlanner(int smallest, int patience) {
    /** The thesis's smallest batch, with a limit on overtaking that the thesis lacks. */
    public static final BatchPlanner DEFAULT = new BatchPlanner(25, 8);

    private static final Long NEVER = -1L;

    public BatchPlanner {
        if (smallest < 1 || patience < 0) {
            throw new IllegalArgumentException(
                    "the smallest batch must be at least 1 and patience at least 0, got %d and %d"
                            .formatted(smallest, patience));
        }
    }

    /**
     * Chooses the requests that run.
     *
     * @param waiting the waiting requests, in any order
     * @param free bytes that are free now
     * @param all total memory in bytes
     */
    public BatchPlan plan(List<BatchRequest> waiting, long free, long all) {
        return plan(waiting, free, all, Integer.MAX_VALUE, Map.of());
    }

    /**
     * As above, with a limit on the number of requests, and with turns that continue from plan to
     * plan.
     *
     * @param places maximum number of requests that may start now
     * @param latest number of the last plan that chose a request of each tenant
     */
    BatchPlan plan(
            List<BatchRequest> waiting, long free, long all, int places, Map<String, Long> latest) {
        List<BatchRequest> hopeless = new ArrayList<>();
        List<BatchRequest> able = new ArrayList<>();
        for (BatchRequest request : waiting) {
            (fits(request, all) ? able : hopeless).add(request);
        }
        List<BatchRequest> ordered = ordered(able, latest);
        List<BatchRequest> chosen = new ArrayList<>();
        long left = free;
        boolean closed = false;
        for (BatchRequest request : ordered) {
            long needed = request.bytes(least(request));
            if (chosen.size() == places) {
                break;
            }
            if (!closed && needed <= left) {
                chosen.add(request);
                left -= needed;
            } else {
                closed |= request.overtaken() >= patience;
            }
        }
        int[] batches = grow(chosen, left);
        List<BatchPlan.Grant> grants = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < batches.length; i++) {
            grants.add(new BatchPlan.Grant(chosen.get(i), batches[i]));
            bytes += chosen.get(i).bytes(batches[i]);
        }
        return new BatchPlan(grants, leftOut(ordered, chosen), hopeless, bytes);
    }

    /** True if the smallest batch of a request needs no more than {@code all} bytes. */
    public boolean fits(BatchRequest request, long all) {
        return request.bytes(least(request)) <= all;
    }

    private int least(BatchRequest request) {
        return Math.min(smallest, request.most());
    }

    /**
     * The requests in order: first, by age, those that may not be overtaken again, then the others
     * by turns of their tenants. Within a turn, the tenant that was chosen longest ago comes first.
     */
    private List<BatchRequest> ordered(List<BatchRequest> requests, Map<String, Long> latest) {
        Comparator<BatchRequest> age =
                Comparator.comparingLong(BatchRequest::arrival).thenComparing(BatchRequest::id);
        List<BatchRequest> byAge = new ArrayList<>(requests);
        byAge.sort(age);
        Map<String, Integer> seen = new HashMap<>();
        Map<BatchRequest, Integer> turns = new HashMap<>();
        for (BatchRequest request : byAge) {
            boolean first = request.overtaken() >= patience;
            turns.put(request, first ? -1 : seen.merge(request.tenant(), 1, Integer::sum));
        }
        // The sort is stable, so the oldest of equal requests comes first.
        byAge.sort(
                Comparator.<BatchRequest, Integer>comparing(turns::get)
                        .thenComparing(
                                request ->
                                        turns.get(request) < 0
                                                ? NEVER
                                                : latest.getOrDefault(request.tenant(), NEVER)));
        return byAge;
    }

    /**
     * Returns equal batches, as large as {@code left} additional bytes allow, each within its
     * request's limits.
     */
    private int[] grow(List<BatchRequest> chosen, long left) {
        int low = 0;
        int high = chosen.stream().mapToInt(BatchRequest::most).max().orElse(0);
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (growth(chosen, middle) <= left) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        long rest = left - growth(chosen, low);
        int[] batches = new int[chosen.size()];
        for (int i = 0; i < batches.length; i++) {
            BatchRequest request = chosen.get(i);
            batches[i] = batch(request, low);
            // If not all batches can grow by an image, the first requests that can use one get it.
            if (batches[i] < request.most() && batches[i] <= low && request.imageBytes() <= rest) {
                batches[i]++;
                rest -= request.imageBytes();
            }
        }
        return batches;
    }

    private int batch(BatchRequest request, int level) {
        return Math.min(request.most(), Math.max(least(request), level));
    }

    private long growth(List<BatchRequest> chosen, int level) {
        long bytes = 0;
        for (BatchRequest request : chosen) {
            bytes += (batch(request, level) - least(request)) * request.imageBytes();
        }
        return bytes;
    }

    private static List<BatchRequest> leftOut(
            List<BatchRequest> ordered, List<BatchRequest> chosen) {
        Set<BatchRequest> runs = new HashSet<>(chosen);
        List<BatchRequest> waiting = new ArrayList<>();
        int behind = chosen.size();
        for (BatchRequest request : ordered) {
            if (runs.contains(request)) {
                behind--;
            } else {
                waiting.add(behind > 0 ? request.overtakenAgain() : request);
            }
        }
        return waiting;
    }
}
