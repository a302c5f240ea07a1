package dev.levee.jobs.internal.report.study;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.jobs.internal.report.OutputFolder;
import dev.levee.jobs.internal.report.RunFiles;

import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The folder of a study. It has a file for each finished cell, and the tables and the page about
 * all of them.
 */
public final class CellFiles {
    /** The page about the study. */
    public static final String REPORT = "report.html";

    private static final String CELLS = "cells";
    private static final String CSV = "cells.csv";
    private static final String LATEX = "table.tex";
    private static final String GRID = "study.yaml";
    private static final String REFUSED = "refused.json";
    private static final String SUFFIX = ".json";
    private static final Set<String> OWN =
            Set.of(CELLS, CSV, LATEX, GRID, REFUSED, REPORT, RunFiles.RECORD, "levee.log");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String directory;

    /** Opens the folder at an absolute URI. */
    public CellFiles(String directory) {
        this.directory = directory;
    }

    /**
     * Refuses a folder with files that a study does not write.
     *
     * @param given the folder as the user named it
     * @throws IllegalArgumentException if the folder holds such files; one sentence
     */
    public void check(String given) throws IOException {
        OutputFolder.requireOnly(given, directory, "", OWN, "a study");
    }

    private Path file(String id) {
        return new Path(directory, CELLS + "/" + id + SUFFIX);
    }

    /** Ids of the finished cells, of this study and of others in the same folder. */
    public Set<String> ended() throws IOException {
        return Set.copyOf(
                OutputFolder.names(new Path(directory, CELLS)).stream()
                        .filter(name -> !name.startsWith(".") && name.endsWith(SUFFIX))
                        .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                        .toList());
    }

    /** Reads the result of a cell, empty if it is not finished or its file is damaged. */
    public Optional<CellResult> read(String id) throws IOException {
        if (!file(id).getFileSystem().exists(file(id))) {
            return Optional.empty();
        }
        try {
            return Optional.of(JSON.readValue(bytes(file(id)), CellResult.class));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /** Writes the result of a cell. */
    public void write(CellResult result) throws IOException {
        new RunFiles(directory + "/" + CELLS)
                .writeText(result.id() + SUFFIX, JSON.writeValueAsString(result) + "\n");
    }

    /** Deletes the result of a cell that will run again. */
    public void forget(String id) throws IOException {
        file(id).getFileSystem().delete(file(id), false);
    }

    /**
     * Writes the definition of the study beside its results.
     *
     * @param refused reasons why cells cannot be trained, by their ids
     */
    public void writeGrid(String yaml, Map<String, String> refused) throws IOException {
        RunFiles files = new RunFiles(directory);
        files.writeText(REFUSED, JSON.writeValueAsString(refused) + "\n");
        files.writeText(GRID, yaml);
    }

    /** Reads the definition of the study. */
    public String grid() throws IOException {
        return new String(bytes(new Path(directory, GRID)), StandardCharsets.UTF_8);
    }

    /** Reads why cells cannot be trained, by their ids; empty for an older study. */
    public Optional<Map<String, String>> refused() throws IOException {
        Path path = new Path(directory, REFUSED);
        return path.getFileSystem().exists(path)
                ? Optional.of(JSON.readValue(bytes(path), new TypeReference<>() {}))
                : Optional.empty();
    }

    private static byte[] bytes(Path path) throws IOException {
        try (FSDataInputStream in = path.getFileSystem().open(path)) {
            return in.readAllBytes();
        }
    }

    /** Writes the page and the tables of results. */
    public void write(String report, String csv, String latex) throws IOException {
        RunFiles files = new RunFiles(directory);
        files.writeText(CSV, csv);
        files.writeText(LATEX, latex);
        files.writeText(REPORT, report);
    }
}
