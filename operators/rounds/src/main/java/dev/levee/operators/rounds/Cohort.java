package dev.levee.operators.rounds;

import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The participants of a round, by ascending id. An id identifies a participant; a <em>place</em> is
 * its position in the cohort. Rows, arrivals and looks of a round are indexed by places, so their
 * size depends on the cohort, not on the number of participants.
 */
public final class Cohort implements Serializable {
    private static final long serialVersionUID = 1L;

    private final int size;

    /** The ids, null if they are 0 to size − 1. */
    private final int[] ids;

    private Cohort(int size, int[] ids) {
        this.size = size;
        this.ids = ids;
    }

    /** The participants 0 to {@code count} − 1. */
    public static Cohort first(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("a cohort needs at least 1 member, got " + count);
        }
        return new Cohort(count, null);
    }

    /**
     * The cohort of these participants.
     *
     * @throws IllegalArgumentException if ids are negative or do not ascend
     */
    public static Cohort of(int... ids) {
        if (ids.length == 0 || ids[0] < 0) {
            throw new IllegalArgumentException(
                    "a cohort needs ids of at least 0, got " + Arrays.toString(ids));
        }
        for (int i = 1; i < ids.length; i++) {
            if (ids[i] <= ids[i - 1]) {
                throw new IllegalArgumentException(
                        "ids of a cohort must ascend, got " + Arrays.toString(ids));
            }
        }
        boolean first = ids[ids.length - 1] == ids.length - 1;
        return new Cohort(ids.length, first ? null : ids.clone());
    }

    /** Number of members. */
    public int size() {
        return size;
    }

    /** The member at a place. */
    public int id(int place) {
        return ids == null ? place : ids[place];
    }

    /** The place of a participant, negative if it is not a member. */
    public int place(int id) {
        if (ids == null) {
            return id >= 0 && id < size ? id : -1;
        }
        return Arrays.binarySearch(ids, id);
    }

    /** True if a participant is a member. */
    public boolean contains(int id) {
        return place(id) >= 0;
    }

    /** All members, ascending. */
    public int[] ids() {
        return ids == null ? IntStream.range(0, size).toArray() : ids.clone();
    }

    /** True if the members are the participants 0 to size − 1. */
    public boolean isFirst() {
        return ids == null;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Cohort cohort
                && cohort.size == size
                && Arrays.equals(cohort.ids, ids);
    }

    @Override
    public int hashCode() {
        return 31 * size + Arrays.hashCode(ids);
    }

    @Override
    public String toString() {
        return ids == null ? "0.." + (size - 1) : Arrays.toString(ids);
    }
}
