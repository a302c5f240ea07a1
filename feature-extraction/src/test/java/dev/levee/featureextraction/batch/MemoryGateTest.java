package dev.levee.featureextraction.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

class MemoryGateTest {
    private static BatchRequest request(String id, long imageBytes) {
        return new BatchRequest(id, "t", id.hashCode(), imageBytes, 0, 200, 0);
    }

    @Test
    void givesWhatIsFreeAndTakesItBack() throws Exception {
        MemoryGate gate = new MemoryGate(BatchPlanner.DEFAULT, 100);
        try (MemoryGate.Batch batch = gate.take(request("a", 1))) {
            assertThat(batch.size()).isEqualTo(100);
            assertThat(gate.taken()).isEqualTo(100);
            CompletableFuture<Integer> second =
                    CompletableFuture.supplyAsync(
                            () -> {
                                try (MemoryGate.Batch next = gate.take(request("b", 2))) {
                                    return next.size();
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                }
                            });
            assertThat(second).isNotDone();
            batch.close();
            assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo(50);
        }
    }

    @Test
    void refusesWhatNeverFits() {
        MemoryGate gate = new MemoryGate(BatchPlanner.DEFAULT, 100);
        assertThatThrownBy(() -> gate.take(request("huge", 5)))
                .hasMessage(
                        "request huge needs 0 bytes for its layers and 5 for each image, more than"
                                + " the 100 there are");
        assertThat(gate.taken()).isZero();
    }

    @Test
    void neverGivesMoreThanThereIs() throws Exception {
        long all = 10_000;
        MemoryGate gate = new MemoryGate(BatchPlanner.DEFAULT, all);
        AtomicLong used = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Long>> most = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                long bytes = 1 + i % 40;
                String id = "r" + i;
                most.add(
                        threads.submit(
                                () -> {
                                    try (MemoryGate.Batch batch = gate.take(request(id, bytes))) {
                                        long now = used.addAndGet(batch.size() * bytes);
                                        used.addAndGet(-batch.size() * bytes);
                                        return now;
                                    }
                                }));
            }
            for (Future<Long> each : most) {
                assertThat(each.get(30, TimeUnit.SECONDS)).isBetween(25L, all);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(gate.taken()).isZero();
    }
}
