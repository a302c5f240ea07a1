package dev.levee.gar.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

class ThreadsTest {
    @Test
    void runsEveryPieceOnce() {
        for (int count = 1; count <= 4; count++) {
            for (int pieces : new int[] {0, 1, 2, 3, 100}) {
                AtomicIntegerArray runs = new AtomicIntegerArray(pieces);
                new Threads(count).run(pieces, runs::incrementAndGet);
                for (int p = 0; p < pieces; p++) {
                    assertThat(runs.get(p)).as("piece %d of %d", p, pieces).isEqualTo(1);
                }
            }
        }
    }

    @Test
    void aFailureReachesTheCallerWhicheverThreadItIsOn() {
        for (int failing = 0; failing < 50; failing++) {
            int bad = failing;
            AtomicInteger running = new AtomicInteger();
            assertThatThrownBy(
                            () ->
                                    new Threads(3)
                                            .run(
                                                    50,
                                                    p -> {
                                                        running.incrementAndGet();
                                                        try {
                                                            if (p == bad) {
                                                                throw new IllegalStateException(
                                                                        "piece " + p);
                                                            }
                                                        } finally {
                                                            running.decrementAndGet();
                                                        }
                                                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("piece " + bad);
            assertThat(running).as("nobody is still at work").hasValue(0);
        }
    }
}
