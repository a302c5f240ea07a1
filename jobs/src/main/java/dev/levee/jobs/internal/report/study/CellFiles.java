package dev.levee.jobs.internal.report.study;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.jobs.internal.report.OutputFolder;
import dev.levee.jobs.internal.report.RunFiles;

import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;

/** The folder of a study: a file per cell that has ended, and what is made of them. */
public final class CellFiles {
    /** The page. */
    public static final String REPORT = "report.html";

    private static final String CELLS = "cells";
    private static final String CSV = "cells.csv";
    private static final String LATEX = "table.tex";
    private static final String GRID = "study.yaml";
    private static final String SUFFIX = ".json";
    private static final Set<String> OWN =
            Set.of(CELLS, CSV, LATEX, GRID, REPORT, RunFiles.RECORD, "levee.log");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String directory;

    /** The folder at an absolute URI. */
    public CellFiles(String directory) {
        this.directory = directory;
    }

    /**
     * Refuses a folder that holds what a study would not have written.
     *
     * @param given as the user named it
     * @throws IllegalArgumentException if it does; one sentence
     */
    public void check(String given) throws IOException {
        OutputFolder.requireOnly(given, directory, "", OWN, "a study");
    }

    private Path file(String id) {
        return new Path(directory, CELLS + "/" + id + SUFFIX);
    }

    /** True if a cell has ended. */
    public boolean has(String id) throws IOException {
        return file(id).getFileSystem().exists(file(id));
    }

    /** The cells that have ended, of this study and of others in the same folder. */
    public Set<String> ended() throws IOException {
        return Set.copyOf(
                OutputFolder.names(new Path(directory, CELLS)).stream()
                        .filter(name -> !name.startsWith(".") && name.endsWith(SUFFIX))
                        .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                        .toList());
    }

    /** The result of a cell, empty if it has not ended or its file is damaged. */
    public Optional<CellResult> read(String id) throws IOException {
        if (!has(id)) {
            return Optional.empty();
        }
        try (FSDataInputStream in = file(id).getFileSystem().open(file(id))) {
            return Optional.of(JSON.readValue(in.readAllBytes(), CellResult.class));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /** Writes down what a cell came to. */
    public void write(CellResult result) throws IOException {
        new RunFiles(directory + "/" + CELLS)
                .writeText(result.id() + SUFFIX, JSON.writeValueAsString(result) + "\n");
    }

    /** Forgets a cell, which is to be run again. */
    public void forget(String id) throws IOException {
        file(id).getFileSystem().delete(file(id), false);
    }

    /** Keeps the text of the study beside its results. */
    public void writeGrid(String yaml) throws IOException {
        new RunFiles(directory).writeText(GRID, yaml);
    }

    /** The text of the study. */
    public String grid() throws IOException {
        Path path = new Path(directory, GRID);
        try (FSDataInputStream in = path.getFileSystem().open(path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Writes what is made of the results. */
    public void write(String report, String csv, String latex) throws IOException {
        RunFiles files = new RunFiles(directory);
        files.writeText(CSV, csv);
        files.writeText(LATEX, latex);
        files.writeText(REPORT, report);
    }
}
