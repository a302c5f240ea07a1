package dev.levee.operators.testing.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;

import dev.levee.connectors.kafka.wire.Frame;

import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.IntStream;

class FrameFuzzTest {
    private static final int STREAMS = 5;
    private static final int RECORDS = 10_000;

    @Test
    void spoiltRecordsAreRejectedCleanly() {
        Map<FrameFuzz.Outcome, Integer> outcomes = new EnumMap<>(FrameFuzz.Outcome.class);
        for (int seed = 0; seed < STREAMS; seed++) {
            FrameFuzz fuzz = new FrameFuzz(seed);
            for (int i = 0; i < RECORDS; i++) {
                outcomes.merge(fuzz.judge(fuzz.next()), 1, Integer::sum);
            }
        }
        // A change that makes records tame would otherwise go unnoticed.
        int all = STREAMS * RECORDS;
        assertThat(outcomes.get(FrameFuzz.Outcome.NO_FRAME)).isGreaterThan(all / 4);
        assertThat(outcomes.get(FrameFuzz.Outcome.ALTERED)).isGreaterThan(all / 6);
        assertThat(outcomes.get(FrameFuzz.Outcome.FORGED)).isGreaterThan(all / 100);
    }

    @Test
    void readingAllocatesNothingThatIsMerelyClaimed() {
        FrameFuzz fuzz = new FrameFuzz(STREAMS);
        byte[][] records = new byte[RECORDS][];
        IntStream.range(0, RECORDS).forEach(i -> records[i] = fuzz.next());
        allocated(records); // the first time classes are loaded
        assertThat(allocated(records)).isLessThan(1000L * RECORDS);
    }

    private static long allocated(byte[][] records) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(self);
        for (byte[] record : records) {
            Frame.read(record);
        }
        return threads.getThreadAllocatedBytes(self) - before;
    }

    @Test
    void aStreamIsAFunctionOfItsSeed() {
        FrameFuzz one = new FrameFuzz(7);
        FrameFuzz other = new FrameFuzz(7);
        for (int i = 0; i < 1000; i++) {
            assertThat(one.next()).isEqualTo(other.next());
        }
    }
}
