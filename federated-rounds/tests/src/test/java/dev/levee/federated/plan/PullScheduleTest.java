package dev.levee.federated.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.federated.devices.Capabilities;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Set;

class PullScheduleTest {
    private static final VirtualTime ALWAYS = new VirtualTime(new Capabilities.Equal(), 1);

    private static PullSchedule schedule(int buffer, int most, int atOnce, double... work) {
        StalenessWeight weight = new StalenessWeight.Constant();
        return new PullSchedule(new Asynchrony(buffer, weight, most), ALWAYS, work, atOnce, 1);
    }

    private static void expect(
            PullSchedule.Turn turn,
            int[] pulled,
            long[] due,
            int[] rows,
            long[] bases,
            double end) {
        assertThat(turn.pulled()).isEqualTo(pulled);
        assertThat(turn.due()).isEqualTo(due);
        assertThat(turn.rows()).isEqualTo(rows);
        assertThat(turn.bases()).isEqualTo(bases);
        assertThat(turn.end()).isEqualTo(end);
    }

    /** Device 0 takes 2 seconds, device 1 takes 5: at 2, 4, 5, 6, 8, 10 and 10 one is done. */
    @Test
    void everyContributionMakesAVersion() {
        PullSchedule schedule = schedule(1, 9, 2, 2, 5);
        expect(schedule.turn(0), ints(0, 1), longs(0, 2), ints(0), longs(0), 2);
        expect(schedule.turn(1), ints(0), longs(1), ints(0), longs(1), 4);
        expect(schedule.turn(2), ints(0), longs(3), ints(1), longs(0), 5);
        expect(schedule.turn(3), ints(1), longs(5), ints(0), longs(2), 6);
        expect(schedule.turn(4), ints(0), longs(4), ints(0), longs(4), 8);
    }

    /** With staleness 1 at most, what device 1 brings at 5 to version 2 is too late. */
    @Test
    void tooStaleIsDropped() {
        PullSchedule schedule = schedule(1, 1, 2, 2, 5);
        expect(schedule.turn(0), ints(0, 1), longs(0, -1), ints(0), longs(0), 2);
        assertThat(schedule.turn(1).stale()).isEmpty();
        PullSchedule.Turn turn = schedule.turn(2);
        assertThat(turn.stale()).containsExactly(1);
        expect(turn, ints(0, 1), longs(2, -1), ints(0), longs(2), 6);
    }

    /**
     * Three seconds, one and four: device 1 delivers at 1 and has nothing new to pull before device
     * 0 closes the round at 3. At 4 device 2 delivers, pulls, and device 1 closes the next one.
     */
    @Test
    void aBufferClosesWithTheFirstOfTwo() {
        PullSchedule schedule = schedule(2, 9, 3, 3, 1, 4);
        expect(schedule.turn(0), ints(0, 1, 2), longs(0, 0, 1), ints(0, 1), longs(0, 0), 3);
        expect(schedule.turn(1), ints(0, 1, 2), longs(2, 1, 3), ints(1, 2), longs(1, 0), 4);
        expect(schedule.turn(2), ints(1), longs(2), ints(0, 1), longs(1, 2), 6);
    }

    @Test
    void everyContributionCountsOnceAndInOrder() {
        int devices = 40;
        double[] work = new Capabilities.LogNormal(1).draw(devices, 5);
        VirtualTime time = new VirtualTime(new Capabilities.LogNormal(1), 0.6);
        Asynchrony asynchrony = new Asynchrony(3, new StalenessWeight.Constant(), 6);
        PullSchedule schedule = new PullSchedule(asynchrony, time, work, 12, 5);
        long[] lastBase = new long[devices];
        long[] lastDue = new long[devices];
        Set<String> promised = new HashSet<>();
        double before = 0;
        for (long version = 0; version < 500; version++) {
            PullSchedule.Turn turn = schedule.turn(version);
            assertThat(turn.end()).isGreaterThanOrEqualTo(before);
            before = turn.end();
            assertThat(turn.rows()).hasSize(3);
            for (int i = 0; i < turn.pulled().length; i++) {
                if (turn.due()[i] != PullSchedule.NEVER) {
                    int device = turn.pulled()[i];
                    assertThat(turn.due()[i]).isBetween(version, version + 6);
                    // What a device pulls next is never older than the round it delivers into.
                    assertThat(version).isGreaterThanOrEqualTo(lastDue[device]);
                    lastDue[device] = turn.due()[i];
                    promised.add(device + " " + version + " " + turn.due()[i]);
                }
            }
            for (int i = 0; i < turn.rows().length; i++) {
                int device = turn.rows()[i];
                assertThat(promised.remove(device + " " + turn.bases()[i] + " " + version))
                        .isTrue();
                assertThat(turn.bases()[i]).isGreaterThanOrEqualTo(lastBase[device]);
                lastBase[device] = turn.bases()[i];
            }
        }
        assertThat(promised).hasSizeLessThanOrEqualTo(2 * 12);
    }

    private static int[] ints(int... values) {
        return values;
    }

    private static long[] longs(long... values) {
        return values;
    }
}
