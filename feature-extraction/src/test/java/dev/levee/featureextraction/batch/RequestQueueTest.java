package dev.levee.featureextraction.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

class RequestQueueTest {
    private static BatchRequest request(long number, String tenant, long imageBytes) {
        return new BatchRequest(number + " of " + tenant, tenant, number, imageBytes, 0, 200, 0);
    }

    private static RequestQueue<String> queue(long all, int places) {
        return new RequestQueue<>(BatchPlanner.DEFAULT, all, places, () -> 0);
    }

    @Test
    void givesWhatIsFreeAndTakesItBack() throws Exception {
        RequestQueue<String> queue = queue(100, 1);
        queue.add(request(1, "t", 1), "a");
        queue.add(request(2, "t", 2), "b");
        try (RequestQueue<String>.Granted first = queue.take()) {
            assertThat(first.what()).isEqualTo("a");
            assertThat(first.batch()).isEqualTo(100);
            assertThat(queue.taken()).isEqualTo(100);
            assertThat(queue.running()).isEqualTo(1);
            CompletableFuture<Integer> second =
                    CompletableFuture.supplyAsync(
                            () -> {
                                try (RequestQueue<String>.Granted next = queue.take()) {
                                    return next.batch();
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                }
                            });
            assertThat(queue.waiting()).isEqualTo(1);
            // An answer that is not sent yet still takes its bytes.
            first.keep(40);
            assertThat(second.get(5, TimeUnit.MINUTES)).isEqualTo(30);
        }
        assertThat(queue.taken()).isZero();
        assertThat(queue.running()).isZero();
    }

    @Test
    void leavesTheSharesOfThreadsForWhichNothingWaits() throws Exception {
        RequestQueue<String> queue = queue(200, 2);
        CompletableFuture<Integer> one = CompletableFuture.supplyAsync(() -> batch(queue));
        CompletableFuture<Integer> other = CompletableFuture.supplyAsync(() -> batch(queue));
        queue.add(request(1, "t", 1), "a");
        // Two that wait for one thread that is there would give all to the first.
        CompletableFuture.anyOf(one, other).get(5, TimeUnit.MINUTES);
        queue.add(request(2, "t", 1), "b");

        assertThat(one.get(5, TimeUnit.MINUTES) + other.get(5, TimeUnit.MINUTES))
                .isLessThanOrEqualTo(200);
    }

    /** A share is 100 bytes, and the smallest batch, 25 images, takes 125. */
    @Test
    void theLastRequestsGetMoreThanAShareIfTheyNeedIt() throws Exception {
        RequestQueue<String> queue = queue(800, 8);
        CompletableFuture<Integer> one = CompletableFuture.supplyAsync(() -> batch(queue));
        queue.add(request(1, "t", 5), "a");
        assertThat(one.get(5, TimeUnit.MINUTES)).isEqualTo(40);

        CompletableFuture<Integer> other = CompletableFuture.supplyAsync(() -> batch(queue));
        queue.add(request(2, "t", 5), "b");
        assertThat(other.get(5, TimeUnit.MINUTES)).isEqualTo(40);
        assertThat(queue.taken()).isEqualTo(400);
    }

    private static int batch(RequestQueue<String> queue) {
        try {
            return queue.take().batch(); // and keeps it
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatIsMeasuredCountsWhereItIsMoreThanWhatWasGiven() throws Exception {
        AtomicLong measured = new AtomicLong();
        RequestQueue<String> queue =
                new RequestQueue<>(BatchPlanner.DEFAULT, 1000, 2, measured::get);
        queue.add(new BatchRequest("a", "t", 1, 1, 0, 25, 0), "a");
        queue.add(request(2, "t", 1), "b");
        measured.set(900);
        RequestQueue<String>.Granted first = queue.take();
        assertThat(first.batch()).isEqualTo(25);

        assertThat(queue.take().batch()).isEqualTo(100);
    }

    /** The first request may not be overtaken again, and does not fit beside the running one. */
    @Test
    void whatARemovedRequestBlockedStartsAtOnce() throws Exception {
        RequestQueue<String> queue = queue(100, 2);
        queue.add(new BatchRequest("runs", "t", 1, 1, 0, 25, 0), "runs");
        assertThat(queue.take().batch()).isEqualTo(25);
        queue.add(new BatchRequest("large", "gone", 2, 1, 70, 25, 8), "large");
        queue.add(new BatchRequest("small", "t", 3, 1, 0, 25, 0), "small");
        long plans = queue.plans();
        CompletableFuture<Integer> small = CompletableFuture.supplyAsync(() -> batch(queue));
        while (queue.plans() == plans) {
            Thread.onSpinWait();
        }
        assertThat(queue.waiting()).isEqualTo(2);
        queue.remove("large"::equals);

        assertThat(small.get(5, TimeUnit.MINUTES)).isEqualTo(25);
    }

    @Test
    void refusesWhatNeverFits() {
        RequestQueue<String> queue = queue(100, 1);
        assertThatThrownBy(() -> queue.add(request(1, "t", 5), "a"))
                .hasMessage(
                        "request 1 of t needs 0 bytes for its layers and its answer and 5 "
                                + "per image, more than the available 100");
        assertThat(queue.waiting()).isZero();
    }

    /** One tenant has a hundred requests, then another comes with two: every second is its. */
    @Test
    void tenantsTakeTurns() throws Exception {
        RequestQueue<String> queue = queue(5000, 1);
        for (int i = 0; i < 100; i++) {
            queue.add(request(i, "many", 1), "many" + i);
        }
        queue.add(request(100, "single", 1), "single");
        queue.add(request(101, "single", 1), "single too");
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            try (RequestQueue<String>.Granted granted = queue.take()) {
                order.add(granted.what());
            }
        }
        assertThat(order).containsExactly("many0", "single", "many1", "single too", "many2");
    }

    @Test
    void forgetsWhatNobodyWaitsFor() throws Exception {
        RequestQueue<String> queue = queue(100, 1);
        queue.add(request(1, "gone", 1), "gone");
        queue.add(request(2, "t", 1), "here");
        queue.remove("gone"::equals);

        assertThat(queue.take().what()).isEqualTo("here");
        assertThat(queue.waiting()).isZero();
    }

    @Test
    void neverGivesMoreThanThereIs() throws Exception {
        long all = 10_000;
        RequestQueue<Long> queue = new RequestQueue<>(BatchPlanner.DEFAULT, all, 8, () -> 0);
        AtomicLong used = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (int i = 0; i < 400; i++) {
                queue.add(request(i, "t" + i % 3, 1 + i % 40), 1L + i % 40);
            }
            List<Future<Long>> most = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                most.add(
                        threads.submit(
                                () -> {
                                    try (RequestQueue<Long>.Granted granted = queue.take()) {
                                        long bytes = granted.batch() * granted.what();
                                        long now = used.addAndGet(bytes);
                                        used.addAndGet(-bytes);
                                        return now;
                                    }
                                }));
            }
            for (Future<Long> each : most) {
                assertThat(each.get(5, TimeUnit.MINUTES)).isBetween(25L, all);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(queue.taken()).isZero();
        assertThat(queue.plans()).isPositive();
    }

    /** One thread: ann's first request runs, and bob's waits. */
    @Test
    void theBoundGrowsWhileARequestProgressesOrItsAnswerIsNotSent() throws Exception {
        AtomicLong now = new AtomicLong();
        RequestQueue<String> queue =
                new RequestQueue<>(BatchPlanner.DEFAULT, 1000, 1, () -> 0, now::get);
        queue.add(request(0, "ann", 1), "ann's");
        queue.add(request(1, "bob", 1), "bob's");
        try (RequestQueue<String>.Granted first = queue.take()) {
            for (int seconds = 1; seconds <= 400; seconds++) {
                now.addAndGet(1_000_000_000L);
                if (seconds == 50) {
                    first.progress();
                }
                // Up to five minutes after its last image: the running one, bob's and ann's turn
                // less one, and eight that overtake.
                assertThat(queue.longestWait("bob")).isEqualTo(10 * Math.min(seconds, 350));
            }
            first.keep(1000);
            now.addAndGet(300_000_000_000L);
            assertThat(queue.longestWait("bob")).isEqualTo(8 * 400 + 300);
        }
        assertThat(queue.longestWait("bob")).isEqualTo(8 * 400);
        assertThat(queue.longestWait("ann")).isZero();
    }

    /** Bob waits for a thread only, and his request would fit beside ann's unsent answer. */
    @Test
    void unsentAnswersCountOnlyIfTheirMemoryIsNeeded() throws Exception {
        AtomicLong now = new AtomicLong();
        RequestQueue<String> queue =
                new RequestQueue<>(BatchPlanner.DEFAULT, 1000, 1, () -> 0, now::get);
        queue.add(request(0, "ann", 1), "ann's");
        queue.take().keep(100);
        queue.add(request(1, "ann", 1), "ann's");
        queue.take();
        queue.add(request(2, "bob", 1), "bob's");
        now.addAndGet(900_000_000_000L);
        assertThat(queue.longestWait("bob")).isEqualTo(10 * 300);
        assertThat(queue.blocked("ann's"::equals)).isFalse();
    }

    @Test
    void unsentAnswersBlockOnlyOthers() throws Exception {
        RequestQueue<String> queue = queue(1000, 2);
        queue.add(request(0, "ann", 5), "ann's");
        try (RequestQueue<String>.Granted answer = queue.take()) {
            queue.add(request(1, "ann", 5), "ann's");
            queue.add(request(2, "bob", 5), "bob's");
            // It runs, and ends by itself.
            assertThat(queue.blocked("ann's"::equals)).isFalse();
            answer.keep(900);
            assertThat(queue.blocked("ann's"::equals)).isTrue();
            assertThat(queue.blocked("bob's"::equals)).isFalse();
            queue.remove("bob's"::equals);
            assertThat(queue.blocked("ann's"::equals)).isFalse();
        }
    }

    /** Tenants keep asking; one computes at a time, each request for one to five seconds. */
    @Test
    void nobodyWaitsLongerThanTheBoundThatHeWasTold() throws Exception {
        Random random = new Random(5);
        AtomicLong now = new AtomicLong();
        RequestQueue<long[]> queue =
                new RequestQueue<>(BatchPlanner.DEFAULT, 1000, 1, () -> 0, now::get);
        assertThat(queue.longestWait("t0")).isZero();
        // The slowest of all ends first, so that what is told later holds.
        queue.add(request(0, "t0", 1), new long[] {0, 0});
        assertThat(queue.longestWait("t0")).isNaN();
        try (RequestQueue<long[]>.Granted first = queue.take()) {
            now.addAndGet(5_000_000_000L);
        }
        double worst = 0;
        for (int number = 1; number < 2000; ) {
            while (queue.waiting() < 30) {
                String tenant = "t" + random.nextInt(4);
                long bytes = random.nextInt(8) == 0 ? 39 : 1 + random.nextInt(5);
                long[] told = {now.get(), 0};
                queue.add(request(number++, tenant, bytes), told);
                told[1] = (long) (queue.longestWait(tenant) * 1e9);
            }
            try (RequestQueue<long[]>.Granted next = queue.take()) {
                long waited = now.get() - next.what()[0];
                assertThat(waited).isLessThanOrEqualTo(next.what()[1]);
                worst = Math.max(worst, waited / (double) next.what()[1]);
                now.addAndGet((1 + random.nextInt(5)) * 1_000_000_000L);
            }
        }
        // And it is not told ten times too much.
        assertThat(worst).isGreaterThan(0.1);
    }
}
