package dev.levee.operators.rounds.coordinator;

import dev.levee.operators.rounds.fault.CodeFault;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.fault.RunFailedException;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** The workers proven faulty in one round, and the reasons. */
final class Faults {
    private final TreeMap<Integer, Rejection> reasons;
    private final Duration timeout;
    private final IntFunction<String> who;

    /** Why participants' own code failed, for the sentence only: checkpoints do not contain it. */
    private final Map<Integer, String> causes = new HashMap<>();

    /**
     * Creates the record from the faults found so far.
     *
     * @param timeout how long the round waits for workers, null for no limit
     * @param who describes an id in words
     */
    Faults(Map<Integer, Rejection> reasons, Duration timeout, IntFunction<String> who) {
        this.reasons = new TreeMap<>(reasons);
        this.timeout = timeout;
        this.who = who;
    }

    /**
     * Adds a fault.
     *
     * @throws RunFailedException if more than f workers are now faulty
     */
    void add(int worker, Rejection reason, long round, int f) {
        reasons.put(worker, reason);
        if (reasons.size() > f) {
            throw new RunFailedException(tooMany(round, f));
        }
    }

    /** Notes failures of participants' own code. */
    void raised(CodeFault fault) {
        fault.workers().keySet().forEach(worker -> causes.putIfAbsent(worker, fault.message()));
    }

    boolean contains(int worker) {
        return reasons.containsKey(worker);
    }

    int count() {
        return reasons.size();
    }

    /** The faulty workers, in order. */
    int[] workers() {
        return reasons.keySet().stream().mapToInt(Integer::intValue).toArray();
    }

    /** The participants with a fault other than absence, in order. */
    int[] proven() {
        return reasons.entrySet().stream()
                .filter(each -> each.getValue().proof())
                .mapToInt(Map.Entry::getKey)
                .toArray();
    }

    /** The state to checkpoint; a copy. */
    Map<Integer, Rejection> snapshot() {
        return new TreeMap<>(reasons);
    }

    private String tooMany(long round, int f) {
        String whoHow =
                reasons.entrySet().stream()
                        .map(e -> who.apply(e.getKey()) + " (" + describe(e.getValue()) + ")")
                        .collect(Collectors.joining(", "));
        return "round %d has more proven faults than f = %d: %s%s"
                .formatted(round, f, whoHow, hint());
    }

    /** What may explain NaN: a failure of the first worker's own code, if there was one. */
    private String hint() {
        if (!reasons.containsValue(Rejection.NON_FINITE)) {
            return "";
        }
        return reasons.keySet().stream()
                .filter(causes::containsKey)
                .findFirst()
                .map(worker -> "; %s: %s".formatted(who.apply(worker), causes.get(worker)))
                .orElse("; if they are honest, the model has diverged");
    }

    private String describe(Rejection reason) {
        return switch (reason) {
            case NON_FINITE -> "sent NaN or infinity";
            case CONTRADICTORY -> "signed two different gradients";
            case WRONG_SIZE -> "sent a block of the wrong size";
            case MISSING -> "had not answered after " + timeout.toMillis() + " ms";
            default -> reason.name();
        };
    }
}
