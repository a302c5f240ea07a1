package dev.levee.featureextraction.batch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;

import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

class BatchPlannerTest {
    private static final BatchPlanner PLANNER = BatchPlanner.DEFAULT;

    private static BatchRequest request(String id, String tenant, long arrival, int imageBytes) {
        return new BatchRequest(id, tenant, arrival, imageBytes, 100, 1000, 0);
    }

    private static List<String> ids(BatchPlan plan) {
        return plan.grants().stream().map(grant -> grant.request().id()).toList();
    }

    /** 2 models of 100 leave 1800 bytes for images of 1 and 2 bytes: 600 of each. */
    @Test
    void batchesGrowAlikeUntilTheMemoryIsUsed() {
        List<BatchRequest> waiting = List.of(request("a", "x", 1, 1), request("b", "x", 2, 2));

        BatchPlan plan = PLANNER.plan(waiting, 2000, 2000);

        assertThat(plan.grants())
                .containsExactly(
                        new BatchPlan.Grant(waiting.get(0), 600),
                        new BatchPlan.Grant(waiting.get(1), 600));
        assertThat(plan.bytes()).isEqualTo(2000);
    }

    @Test
    void whoHasWhatItCanUseLeavesTheRestToTheOthers() {
        BatchRequest small = new BatchRequest("a", "x", 1, 1, 100, 30, 0);

        BatchPlan plan = PLANNER.plan(List.of(small, request("b", "x", 2, 1)), 1000, 1000);

        assertThat(plan.grants()).extracting(BatchPlan.Grant::batch).containsExactly(30, 770);
        assertThat(plan.bytes()).isEqualTo(1000);
    }

    @Test
    void theNewestIsLeftOutWhereNotAllFit() {
        BatchPlan plan =
                PLANNER.plan(
                        List.of(
                                request("a", "x", 1, 1),
                                request("b", "x", 2, 1),
                                request("c", "x", 3, 1)),
                        300,
                        1000);

        assertThat(ids(plan)).containsExactly("a", "b");
        assertThat(plan.grants()).extracting(BatchPlan.Grant::batch).containsExactly(50, 50);
        assertThat(plan.waiting()).extracting(BatchRequest::overtaken).containsExactly(0);
    }

    @Test
    void tenantsTakeTurns() {
        List<BatchRequest> waiting = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            waiting.add(request("many" + i, "x", i, 1));
        }
        waiting.add(request("single", "y", 100, 1));

        assertThat(ids(PLANNER.plan(waiting, 375, 1000)))
                .containsExactly("many0", "single", "many1");
    }

    @Test
    void whatNeverFitsIsNamed() {
        BatchRequest huge = request("huge", "x", 1, 100);

        BatchPlan plan = PLANNER.plan(List.of(huge, request("b", "x", 2, 1)), 2000, 2000);

        assertThat(plan.hopeless()).containsExactly(huge);
        assertThat(ids(plan)).containsExactly("b");
    }

    @Test
    void aLargeRequestIsOvertakenOnlySoOften() {
        List<BatchRequest> waiting = List.of(request("large", "x", 0, 60));
        for (int round = 0; round < PLANNER.patience(); round++) {
            List<BatchRequest> all = new ArrayList<>(waiting);
            all.add(request("small" + round, "y", 1 + round, 1));
            // Half of the memory is taken by what runs, so the large one does not fit.
            BatchPlan plan = PLANNER.plan(all, 1000, 2000);
            assertThat(ids(plan)).containsExactly("small" + round);
            waiting = plan.waiting();
        }
        List<BatchRequest> all = new ArrayList<>(waiting);
        all.add(request("late", "y", 1000, 1));

        assertThat(PLANNER.plan(all, 1000, 2000).grants()).isEmpty();
        assertThat(ids(PLANNER.plan(all, 2000, 2000))).containsExactly("large", "late");
    }

    private static List<BatchRequest> many(int count) {
        Random random = new Random(3);
        List<BatchRequest> waiting = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            waiting.add(
                    new BatchRequest(
                            "r" + i,
                            "t" + random.nextInt(10),
                            random.nextInt(1000),
                            200_000 + random.nextInt(1_000_000),
                            10_000_000 + random.nextInt(100_000_000),
                            100 + random.nextInt(2000),
                            0));
        }
        return waiting;
    }

    @Test
    void aThousandRequestsUseTheBudget() {
        long budget = 16L << 30;
        assertThat(PLANNER.plan(many(1000), budget, budget).bytes())
                .isBetween((long) (0.99 * budget), budget);
    }

    /** Ten times the requests allocate ten times the memory; tables of powers of two jump. */
    @Test
    void aPlanCostsInProportionToItsRequests() {
        plan(many(10)).run(); // loads classes
        long before = allocatedBy(plan(many(100)));
        for (int count : new int[] {1000, 10_000}) {
            long now = allocatedBy(plan(many(count)));
            assertThat(now).as("%d requests", count).isBetween(5 * before, 16 * before);
            before = now;
        }
    }

    private static Runnable plan(List<BatchRequest> waiting) {
        return () -> PLANNER.plan(waiting, 1L << 50, 1L << 50);
    }

    private static long allocatedBy(Runnable action) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        action.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    /** Requests keep coming; each that runs ends after some plans. */
    @Test
    void nobodyStarves() {
        Random random = new Random(11);
        long all = 100_000;
        List<BatchRequest> waiting = new ArrayList<>();
        List<long[]> running = new ArrayList<>();
        Set<String> open = new HashSet<>();
        int coming = 0;
        for (int round = 0; round < 3000; round++) {
            running.removeIf(each -> --each[1] == 0);
            if (round < 2000 && waiting.size() < 20) {
                for (int i = 0; i < 3; i++) {
                    int bytes = random.nextInt(10) == 0 ? 3900 : 1 + random.nextInt(400);
                    waiting.add(request("r" + coming, "t" + random.nextInt(4), coming, bytes));
                    open.add("r" + coming++);
                }
            }
            long taken = running.stream().mapToLong(each -> each[0]).sum();
            BatchPlan plan = PLANNER.plan(waiting, all - taken, all);
            assertThat(taken + plan.bytes()).isLessThanOrEqualTo(all);
            for (BatchPlan.Grant grant : plan.grants()) {
                running.add(
                        new long[] {grant.request().bytes(grant.batch()), 1 + random.nextInt(5)});
                open.remove(grant.request().id());
            }
            waiting = new ArrayList<>(plan.waiting());
            assertThat(waiting).allMatch(each -> each.overtaken() <= PLANNER.patience());
        }
        assertThat(open).isEmpty();
    }
}
