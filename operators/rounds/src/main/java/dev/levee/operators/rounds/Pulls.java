package dev.levee.operators.rounds;

import java.io.Serializable;
import java.util.Arrays;

/**
 * The participants that compute on a version in a run without a barrier. Devices pull the newest
 * model when they are free, and the plan assigns each contribution to a later round. So the
 * participants that compute on a version differ from those whose contributions close its round.
 *
 * @param devices the participants that pull this version and whose contributions will count,
 *     ascending
 * @param due for each device, the round in which its contribution is a row
 * @param bases versions that the rows of this version's round answer, by place in its cohort
 */
public record Pulls(int[] devices, long[] due, long[] bases) implements Serializable {
    /**
     * The round in which a device's contribution to this version is a row.
     *
     * @return −1 if the device does not pull this version
     */
    public long due(int device) {
        int at = Arrays.binarySearch(devices, device);
        return at < 0 ? -1 : due[at];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Pulls pulls
                && Arrays.equals(pulls.devices, devices)
                && Arrays.equals(pulls.due, due)
                && Arrays.equals(pulls.bases, bases);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Arrays.hashCode(devices) + Arrays.hashCode(due)) + Arrays.hashCode(bases);
    }

    @Override
    public String toString() {
        return "%s for %s on %s"
                .formatted(Arrays.toString(devices), Arrays.toString(due), Arrays.toString(bases));
    }
}
