package dev.levee.k8s.simulator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads plain comma-separated values with a header, without quotes. */
final class Csv {
    private Csv() {}

    /**
     * The rows below the header.
     *
     * @throws IllegalArgumentException if the file is missing or a row has another number of
     *     columns; one sentence
     */
    static List<String[]> rows(Path file, int columns) throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(file + " does not exist", e);
        }
        List<String[]> rows = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            if (lines.get(i).isBlank()) {
                continue;
            }
            String[] row = lines.get(i).split(",", -1);
            if (row.length != columns) {
                throw new IllegalArgumentException(
                        "%s, line %d has %d columns instead of %d"
                                .formatted(file, i + 1, row.length, columns));
            }
            rows.add(row);
        }
        return rows;
    }
}
