package dev.levee.benchmarks.resilience;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Prints a table whose cells are computed in parallel. */
final class ParallelTable {
    /** Computes the text of a cell. */
    @FunctionalInterface
    interface Cell {
        String of(String row, String column);
    }

    private ParallelTable() {}

    static void print(String title, List<String> rows, List<String> columns, Cell cell)
            throws Exception {
        System.out.printf("| %s | %s |%n", title, String.join(" | ", columns));
        System.out.println("|---|" + "---|".repeat(columns.size()));
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            for (String row : rows) {
                List<Future<String>> cells = new ArrayList<>();
                for (String column : columns) {
                    cells.add(threads.submit(() -> cell.of(row, column)));
                }
                StringBuilder line = new StringBuilder("| " + row.replace("|", "\\|") + " |");
                for (Future<String> each : cells) {
                    line.append(' ').append(each.get()).append(" |");
                }
                System.out.println(line);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
