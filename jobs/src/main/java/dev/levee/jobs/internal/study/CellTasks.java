package dev.levee.jobs.internal.study;

import dev.levee.jobs.internal.report.study.CellFiles;
import dev.levee.operators.tasks.TaskPlan;
import dev.levee.operators.tasks.TaskRunner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;

/**
 * Runs the cells of a study as tasks of a job. Cells with a whole result file are skipped, so a job
 * that restarts after a failure continues where it was.
 *
 * @param cells the cells to run
 * @param directory absolute URI of the study's folder
 */
record CellTasks(ArrayList<Cell> cells, String directory) implements TaskPlan<Integer> {
    @Override
    public int tasks() {
        return cells.size();
    }

    @Override
    public TaskRunner<Integer> open() {
        return new Runner(cells, new CellFiles(directory));
    }

    private record Runner(ArrayList<Cell> cells, CellFiles files) implements TaskRunner<Integer> {
        @Override
        public Integer run(int task) {
            Cell cell = cells.get(task);
            try {
                if (files.read(cell.id()).isEmpty()) {
                    files.write(CellRun.of(cell));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "the result of a cell cannot be written: " + e.getMessage(), e);
            }
            return task;
        }

        @Override
        public void close() {
            // The interrupt of the thread ends the cell.
        }
    }
}
