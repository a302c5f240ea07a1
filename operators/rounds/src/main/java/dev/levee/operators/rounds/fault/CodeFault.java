package dev.levee.operators.rounds.fault;

import dev.levee.learners.ParticipantException;

import java.io.Serializable;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Faults of one kind in participants' own code.
 *
 * @param round the first round in which one was reported
 * @param kind their common kind, such as exception and line
 * @param message of the first one, one sentence
 * @param traceback last lines of the first one's traceback, empty if it had none
 * @param workers how often each worker had it
 */
public record CodeFault(
        long round, String kind, String message, String traceback, SortedMap<Integer, Long> workers)
        implements Serializable {
    private static final int MOST_MESSAGE = 1_000;
    private static final int MOST_TRACEBACK = 8_000;

    /** Sorts the workers, and keeps the end of long texts. */
    public CodeFault {
        kind = end(kind, MOST_MESSAGE);
        message = end(message, MOST_MESSAGE);
        traceback = end(traceback, MOST_TRACEBACK);
        workers = Collections.unmodifiableSortedMap(new TreeMap<>(workers));
    }

    /** One worker's fault. */
    public static CodeFault of(long round, int worker, ParticipantException fault) {
        return new CodeFault(
                round,
                fault.kind(),
                fault.getMessage(),
                fault.traceback(),
                new TreeMap<>(Map.of(worker, 1L)));
    }

    private static String end(String text, int most) {
        return text.length() <= most ? text : "…" + text.substring(text.length() - most);
    }

    /** The sum of these and others of the same kind. */
    public CodeFault plus(CodeFault other) {
        TreeMap<Integer, Long> sums = new TreeMap<>(workers);
        other.workers.forEach((worker, count) -> sums.merge(worker, count, Long::sum));
        return new CodeFault(Math.min(round, other.round), kind, message, traceback, sums);
    }
}
