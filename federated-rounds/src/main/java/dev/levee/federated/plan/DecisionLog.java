package dev.levee.federated.plan;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The decisions of a server in an asynchronous run: which contributions closed each round, and
 * which version each of them answers. If contributions follow from the version alone, devices
 * compute the same again, so the log reproduces the run bit for bit.
 *
 * @param rounds for each round from 0 on: by device, the version that its contribution answers
 */
public record DecisionLog(List<TreeMap<Integer, Long>> rounds) implements Serializable {
    /** The first columns of a log's text; more may follow. */
    public static final List<String> COLUMNS = List.of("round", "device", "base");

    /**
     * Checks that no contribution counts twice, or before it can exist.
     *
     * @throws IllegalArgumentException if one does; one sentence
     */
    public DecisionLog {
        if (rounds.isEmpty()) {
            throw new IllegalArgumentException("a log of decisions needs at least one round");
        }
        rounds = List.copyOf(rounds);
        TreeMap<Integer, TreeSet<Long>> counted = new TreeMap<>();
        for (int round = 0; round < rounds.size(); round++) {
            for (var row : rounds.get(round).entrySet()) {
                int device = row.getKey();
                long base = row.getValue();
                if (device < 0 || base < 0 || base > round) {
                    throw new IllegalArgumentException(
                            "round %d cannot take a contribution of device %d to version %d"
                                    .formatted(round, device, base));
                }
                if (!counted.computeIfAbsent(device, d -> new TreeSet<>()).add(base)) {
                    throw new IllegalArgumentException(
                            "the contribution of device %d to version %d counts twice, in round %d"
                                    .formatted(device, base, round));
                }
            }
        }
    }

    /**
     * Reads a log's lines: the names of columns, then a line for each contribution, in the order of
     * rounds.
     *
     * @throws IllegalArgumentException if the lines are not a log, or a round is missing; one
     *     sentence
     */
    public static DecisionLog parse(List<String> lines) {
        String head = String.join(",", COLUMNS);
        if (lines.isEmpty() || !(lines.get(0) + ",").startsWith(head + ",")) {
            throw new IllegalArgumentException("its first line must begin with " + head);
        }
        List<TreeMap<Integer, Long>> rounds = new ArrayList<>();
        for (int number = 1; number < lines.size(); number++) {
            String[] cells = lines.get(number).split(",", -1);
            try {
                long round = Long.parseLong(cells[0]);
                if (round == rounds.size()) {
                    rounds.add(new TreeMap<>());
                }
                if (round != rounds.size() - 1) {
                    throw new IllegalArgumentException(
                            round < rounds.size()
                                    ? "line %d is of round %d, which is over"
                                            .formatted(number + 1, round)
                                    : "line %d is of round %d, and round %d is missing"
                                            .formatted(number + 1, round, rounds.size()));
                }
                Long before =
                        rounds.get(rounds.size() - 1)
                                .put(Integer.parseInt(cells[1]), Long.parseLong(cells[2]));
                if (before != null) {
                    throw new IllegalArgumentException(
                            "line %d is the second of device %s in round %d"
                                    .formatted(number + 1, cells[1], round));
                }
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                throw new IllegalArgumentException(
                        "line %d has no numbers for %s".formatted(number + 1, head), e);
            }
        }
        return new DecisionLog(rounds);
    }

    /** Devices whose contributions closed a round, ascending. */
    int[] devices(long round) {
        return rounds.get(Math.toIntExact(round)).keySet().stream()
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** The versions that these contributions answer, in the same order. */
    long[] bases(long round) {
        return rounds.get(Math.toIntExact(round)).values().stream()
                .mapToLong(Long::longValue)
                .toArray();
    }

    /** The largest id of a device. */
    int lastDevice() {
        return rounds.stream().mapToInt(TreeMap::lastKey).max().orElseThrow();
    }

    /** The largest staleness. */
    long mostStale() {
        long most = 0;
        for (int round = 0; round < rounds.size(); round++) {
            for (long base : rounds.get(round).values()) {
                most = Math.max(most, round - base);
            }
        }
        return most;
    }
}
