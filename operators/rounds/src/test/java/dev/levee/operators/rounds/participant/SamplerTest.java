package dev.levee.operators.rounds.participant;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Samples depend on how many were consumed, not on who else draws. */
class SamplerTest {
    private static final int SIZE = 400;
    private static final int BATCHES = 2000;

    private static Sampler sampler() {
        return new Sampler(IntStream.range(0, 222).toArray(), 1, 3);
    }

    @Test
    void eachEpochDrawsEverySampleOnce() {
        int[] drawn = sampler().next(222 * 5, 222);
        assertThat(drawn).containsExactlyInAnyOrder(IntStream.range(0, 222).toArray());
        assertThat(drawn).isNotEqualTo(sampler().next(222 * 6, 222));
    }

    /** As devices that each hold the whole data set that they open. */
    @Test
    void manySamplersOfTheSameShareTakeItsMemoryOnce() {
        int[] share = new int[1_000_000];
        Sampler[] samplers = new Sampler[20_000];
        Arrays.setAll(samplers, worker -> new Sampler(share, 1, worker));
        assertThat(samplers[19_999].next(0, 1)).containsExactly(0);
    }

    @Test
    void threadsThatDrawForTheSameWorkerDoNotDisturbOneAnother() throws Exception {
        Sampler alone = sampler();
        List<int[]> expected = new ArrayList<>();
        for (int batch = 0; batch < BATCHES; batch++) {
            expected.add(alone.next((long) batch * SIZE, SIZE));
        }
        Sampler shared = sampler();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<int[]>> drawn = new ArrayList<>();
            for (int batch = 0; batch < BATCHES; batch++) {
                long consumed = (long) batch * SIZE;
                drawn.add(threads.submit(() -> shared.next(consumed, SIZE)));
            }
            for (int batch = 0; batch < BATCHES; batch++) {
                assertThat(drawn.get(batch).get())
                        .as("batch %d", batch)
                        .isEqualTo(expected.get(batch));
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
