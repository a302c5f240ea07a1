package dev.levee.jobs.internal.study;

import dev.levee.jobs.internal.report.study.StudyResults;
import dev.levee.learners.Models;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Estimates the time that cells take. It measures the first rounds of some cells that differ in
 * options that cost time, as many at once as the study runs at once. Other cells are assumed to be
 * as fast as the most similar measured ones.
 */
final class CellTime {
    /** Options that do not change the cost of a round. */
    private static final Set<String> FREE =
            Stream.concat(
                            StudyResults.TUNED.stream(),
                            Stream.of(
                                    "seed",
                                    "partition-seed",
                                    "partition",
                                    "partition-among",
                                    "rounds",
                                    "eval-interval"))
                    .collect(Collectors.toUnmodifiableSet());

    /** Options whose effect on the cost {@link CellSpeed} partly computes. */
    private static final Set<String> COUNTS = Set.of("byzantine", "workers", "per-round");

    /** The weight of a difference in one of these options; other options have weight 1. */
    private static final double COUNT = 0.4;

    private static final int MOST_KINDS = 8;

    private final Map<Map<String, String>, CellSpeed> speeds = new LinkedHashMap<>();

    /** The measured cell of each kind. Cells of a kind are equal in all options that cost time. */
    private final Map<Map<String, String>, Cell> measured = new LinkedHashMap<>();

    private final Models.Opener models = new OpenedModels();
    private final int kinds;
    private final int atOnce;

    /**
     * Measures cells for some seconds or rounds.
     *
     * @param cells the cells of the study, at least one
     * @param atOnce number of cells to measure at the same time
     */
    CellTime(List<Cell> cells, int atOnce) throws InterruptedException {
        Map<Map<String, String>, Cell> first = new LinkedHashMap<>();
        cells.forEach(cell -> first.putIfAbsent(kind(cell), cell));
        this.kinds = first.size();
        this.atOnce = atOnce;
        chosen(List.copyOf(first.keySet())).forEach(kind -> measured.put(kind, first.get(kind)));
        measure();
    }

    /** The kind of a cell: its options that cost time. */
    private static Map<String, String> kind(Cell cell) {
        Map<String, String> kind = new LinkedHashMap<>(cell.options());
        kind.keySet().removeAll(FREE);
        return kind;
    }

    /**
     * Selects kinds that differ most: the first, then repeatedly the one that is least similar to
     * those already selected.
     */
    private static List<Map<String, String>> chosen(List<Map<String, String>> all) {
        List<Map<String, String>> chosen = new ArrayList<>(List.of(all.get(0)));
        while (chosen.size() < Math.min(MOST_KINDS, all.size())) {
            Map<String, String> next = null;
            double most = 0;
            for (Map<String, String> each : all) {
                double least = chosen.stream().mapToDouble(c -> apart(c, each)).min().orElseThrow();
                double sum = chosen.stream().mapToDouble(c -> apart(c, each)).sum();
                double score = least > 0 ? least + sum / (1000.0 * chosen.size()) : 0;
                if (score > most) {
                    most = score;
                    next = each;
                }
            }
            chosen.add(next);
        }
        return chosen;
    }

    /** The difference between two kinds, 0 if they are equal. */
    private static double apart(Map<String, String> a, Map<String, String> b) {
        Set<String> names = new HashSet<>(a.keySet());
        names.addAll(b.keySet());
        return names.stream()
                .filter(name -> !a.getOrDefault(name, "").equals(b.getOrDefault(name, "")))
                .mapToDouble(name -> COUNTS.contains(name) ? COUNT : 1)
                .sum();
    }

    private void measure() throws InterruptedException {
        List<Map<String, String>> all = List.copyOf(measured.keySet());
        ExecutorService threads = Executors.newFixedThreadPool(atOnce);
        try {
            for (int from = 0; from < all.size(); from += atOnce) {
                measure(all, from, threads);
            }
            // Measures the first kinds again, because little code was compiled the first time.
            measure(all, 0, threads);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    /** Measures some kinds at the same time. If fewer are left, measures some a second time. */
    private void measure(List<Map<String, String>> all, int from, ExecutorService threads)
            throws InterruptedException, ExecutionException {
        AtomicInteger unfinished = new AtomicInteger(atOnce);
        List<Future<CellSpeed>> running =
                IntStream.range(0, atOnce)
                        .mapToObj(i -> all.get((from + i) % all.size()))
                        .map(measured::get)
                        .map(cell -> threads.submit(() -> CellMeter.measure(cell, unfinished)))
                        .toList();
        for (int i = 0; i < Math.min(atOnce, all.size() - from); i++) {
            speeds.put(all.get(from + i), running.get(i).get());
        }
    }

    /** Seconds until all of these cells have run in this many slots. */
    double seconds(List<Cell> cells, int slots) {
        return together(cells.stream().map(this::seconds).toList(), slots);
    }

    /**
     * Seconds until all cells have run in this many slots. Each cell takes the first free slot.
     *
     * @param cells seconds of each cell, in order
     */
    static double together(List<Double> cells, int slots) {
        PriorityQueue<Double> free = new PriorityQueue<>(Collections.nCopies(slots, 0.0));
        double last = 0;
        for (double cell : cells) {
            double end = free.remove() + cell;
            free.add(end);
            last = Math.max(last, end);
        }
        return last;
    }

    private double seconds(Cell cell) {
        Map<String, String> kind = kind(cell);
        double least =
                speeds.keySet().stream().mapToDouble(each -> apart(each, kind)).min().orElseThrow();
        return speeds.entrySet().stream()
                .filter(each -> apart(each.getKey(), kind) == least)
                .mapToDouble(each -> each.getValue().cell(cell.training(models)))
                .average()
                .orElseThrow();
    }

    /** Describes the basis of the estimate: a line, then a line for each measured cell. */
    String basis() {
        String lines =
                measured.entrySet().stream()
                        .map(each -> line(each.getValue(), speeds.get(each.getKey())))
                        .collect(Collectors.joining());
        return "Based on the first rounds of %d of %d kinds of cells on this machine, %d at a time:%s"
                .formatted(measured.size(), kinds, atOnce, lines);
    }

    /** The costs of a measured cell, with the options in which it differs from others. */
    private String line(Cell cell, CellSpeed speed) {
        String where =
                cell.point().entrySet().stream()
                        .filter(each -> !FREE.contains(each.getKey()))
                        .filter(each -> differs(each.getKey()))
                        .map(each -> each.getKey() + " " + each.getValue())
                        .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "%n  %.3g s a round, %.3g s an evaluation%s",
                speed.round(cell.training(models)),
                speed.evaluation(),
                where.isEmpty() ? "" : ": " + where);
    }

    private boolean differs(String option) {
        return measured.values().stream()
                        .map(cell -> cell.point().getOrDefault(option, ""))
                        .distinct()
                        .count()
                > 1;
    }
}
