package dev.levee.jobs.internal.study;

import dev.levee.jobs.internal.report.study.CellFiles;
import dev.levee.jobs.internal.report.study.CellResult;
import dev.levee.jobs.internal.report.study.StudyResults;
import dev.levee.learners.Models;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The cells of a study, and those that still have to run.
 *
 * @param study the study
 * @param cells all cells, in order
 * @param refused reasons why cells cannot be trained, by their ids
 */
record StudyPlan(Study study, List<Cell> cells, Map<String, String> refused) {
    /**
     * Checks all cells and opens their data.
     *
     * @throws IllegalArgumentException if no cell can be trained; one sentence
     */
    static StudyPlan of(Study study) {
        List<Cell> cells = study.cells();
        Map<String, String> refused = new LinkedHashMap<>();
        Models.Opener models = new OpenedModels();
        boolean natives = true;
        for (Cell cell : cells) {
            try {
                var training = cell.training(models);
                if (natives) {
                    training.model().requireNatives();
                    natives = false;
                }
            } catch (IllegalArgumentException e) {
                refused.put(cell.id(), e.getMessage());
            }
        }
        if (cells.stream().allMatch(cell -> refused.containsKey(cell.id()))) {
            throw new IllegalArgumentException(refused.values().iterator().next());
        }
        return new StudyPlan(study, cells, refused);
    }

    /** The cells that can be trained and have neither a result nor a failure. */
    List<Cell> notEnded(CellFiles files) throws IOException {
        Set<String> ended = files.ended();
        return trained().stream().filter(cell -> !ended.contains(cell.id())).toList();
    }

    /** The cells that can be trained, one of those with equal options. */
    private Collection<Cell> trained() {
        Map<String, Cell> trained = new LinkedHashMap<>();
        cells.forEach(cell -> trained.putIfAbsent(cell.id(), cell));
        trained.keySet().removeAll(refused.keySet());
        return trained.values();
    }

    /** The cells that can be trained and have no model yet. */
    List<Cell> pending(CellFiles files) throws IOException {
        Set<String> ended = files.ended();
        List<Cell> pending = new ArrayList<>();
        for (Cell cell : trained()) {
            boolean complete =
                    ended.contains(cell.id())
                            && files.read(cell.id()).filter(CellResult::complete).isPresent();
            if (!complete) {
                pending.add(cell);
            }
        }
        return pending;
    }

    /** The results of all finished cells. */
    StudyResults results(CellFiles files) throws IOException {
        List<CellResult> results = new ArrayList<>();
        for (Cell cell : cells) {
            if (refused.containsKey(cell.id())) {
                results.add(
                        CellResult.refused(
                                cell.id(), cell.point(), cell.options(), refused.get(cell.id())));
            } else {
                files.read(cell.id()).ifPresent(result -> results.add(result.at(cell.point())));
            }
        }
        LinkedHashMap<String, List<String>> axes = new LinkedHashMap<>();
        study.axes().forEach(axis -> axes.put(axis, study.values().get(axis)));
        return new StudyResults(axes, study.bestRound(), results);
    }

    /** The command that repeats a cell as a separate job, with the same bits. */
    Function<CellResult, String> commands() {
        Map<String, String> byId = new HashMap<>();
        cells.forEach(cell -> byId.putIfAbsent(cell.id(), cell.shellCommand()));
        return result -> byId.get(result.id());
    }
}
