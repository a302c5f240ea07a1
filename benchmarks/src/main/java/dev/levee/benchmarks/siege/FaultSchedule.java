package dev.levee.benchmarks.siege;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A schedule of faults, which is a function of seed and duration.
 *
 * @param seed its seed
 * @param length duration of the siege
 * @param steps the faults in order of time
 */
record FaultSchedule(long seed, Duration length, List<Step> steps) {
    /**
     * In sieges shorter than this, lasting faults take only seconds, which leaves room for others.
     */
    private static final Duration SHORT = Duration.ofMinutes(5);

    private static final int LONGEST_SECONDS = 60;
    private static final int LONGEST_SECONDS_IF_SHORT = 7;
    private static final int LONGEST_GAP_SECONDS = 4;

    /**
     * One fault.
     *
     * @param at earliest time in seconds
     * @param fault the fault
     * @param seconds seconds until the fault is repaired, 0 if it does not last
     * @param target number that selects one of the possible processes or jobs
     */
    public record Step(int at, Fault fault, int seconds, int target) {
        @Override
        public String toString() {
            String what = fault.what() + (fault.lasts() ? ", " + seconds + " s" : "");
            return String.format(Locale.ROOT, "%2d:%02d  %s", at / 60, at % 60, what);
        }
    }

    public FaultSchedule {
        steps = List.copyOf(steps);
    }

    /**
     * The time after which no fault starts, however late the schedule is. A short siege may take
     * twice its time, because slow recoveries would leave it few faults.
     */
    Duration latest() {
        return length.compareTo(SHORT) < 0 ? length.multipliedBy(2) : length;
    }

    /**
     * Draws a schedule. Every kind of fault occurs once in random order, repeatedly. Lasting faults
     * take up to a minute.
     *
     * @param length period in which faults may start
     */
    public static FaultSchedule of(long seed, Duration length) {
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
            // Short durations are more frequent than long ones, as in practice.
            int seconds = fault.lasts() ? 1 + random.nextInt(1 + random.nextInt(longest)) : 0;
            steps.add(new Step((int) at, fault, seconds, random.nextInt(1 << 16)));
            at += seconds + 1 + random.nextInt(LONGEST_GAP_SECONDS);
        }
        return new FaultSchedule(seed, length, steps);
    }
}
