package dev.levee.benchmarks.siege;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A schedule of faults, a function of seed and duration.
 *
 * @param seed its seed
 * @param length of the siege
 * @param steps in order of time
 */
record Schedule(long seed, Duration length, List<Step> steps) {
    /** Below this a pause lasts seconds, so that a short siege has room for other faults. */
    private static final Duration SHORT = Duration.ofMinutes(5);

    private static final int LONGEST_SECONDS = 60;
    private static final int LONGEST_SECONDS_IF_SHORT = 7;
    private static final int LONGEST_GAP_SECONDS = 4;

    /**
     * One fault.
     *
     * @param at earliest start in seconds
     * @param fault the fault
     * @param seconds until it is repaired, 0 if it needs no time
     * @param target chooses among the processes or jobs that it may hit
     */
    public record Step(int at, Fault fault, int seconds, int target) {
        @Override
        public String toString() {
            String what = fault.what() + (fault.lasts() ? ", " + seconds + " s" : "");
            return String.format(Locale.ROOT, "%2d:%02d  %s", at / 60, at % 60, what);
        }
    }

    public Schedule {
        steps = List.copyOf(steps);
    }

    /**
     * When no fault starts any more, however late they are. A short siege may take twice its time:
     * if recoveries are slow, half a minute has few steps.
     */
    Duration latest() {
        return length.compareTo(SHORT) < 0 ? length.multipliedBy(2) : length;
    }

    /**
     * Draws a schedule: every kind of fault once in random order, repeatedly, with pauses of up to
     * a minute.
     *
     * @param length how long faults may start
     */
    public static Schedule of(long seed, Duration length) {
        Random random = new Random(seed);
        int longest = length.compareTo(SHORT) < 0 ? LONGEST_SECONDS_IF_SHORT : LONGEST_SECONDS;
        List<Step> steps = new ArrayList<>();
        List<Fault> left = new ArrayList<>();
        long at = random.nextInt(LONGEST_GAP_SECONDS);
        while (at < length.toSeconds()) {
            if (left.isEmpty()) {
                left.addAll(Arrays.asList(Fault.values()));
                Collections.shuffle(left, random);
            }
            Fault fault = left.remove(0);
            // Short ones are more common than long ones, as in life.
            int seconds = fault.lasts() ? 1 + random.nextInt(1 + random.nextInt(longest)) : 0;
            steps.add(new Step((int) at, fault, seconds, random.nextInt(1 << 16)));
            at += seconds + 1 + random.nextInt(LONGEST_GAP_SECONDS);
        }
        return new Schedule(seed, length, steps);
    }
}
