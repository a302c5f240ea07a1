package dev.levee.jobs.internal.study;

import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.report.study.CellFiles;
import dev.levee.jobs.internal.report.study.StudyReport;
import dev.levee.jobs.internal.report.study.StudyResults;
import dev.levee.jobs.internal.report.summary.Provenance;
import dev.levee.jobs.internal.run.GitState;
import dev.levee.jobs.internal.run.RunHints;
import dev.levee.jobs.internal.run.ShellWords;
import dev.levee.jobs.internal.run.follow.Ending;
import dev.levee.jobs.internal.run.follow.JobEnd;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.k8s.flink.rest.FlinkRest;

import org.apache.flink.core.execution.JobClient;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;

/**
 * The job of a study, after it was submitted.
 *
 * @param root output folder, an absolute URI
 * @param record the submitted record
 */
record SubmittedStudy(
        StudyPlan plan, CellFiles files, String root, RunRecord record, Terminal terminal) {
    /** The name of its job. */
    static final String NAME = "study";

    private static final double NANOS = 1e9;

    /** The id of its job. */
    String job() {
        return record.jobs().get(0).id();
    }

    /** Cells of the job that have not ended. */
    int left() throws IOException {
        return plan.notEnded(files).size();
    }

    /**
     * Says how far the job is until it has ended.
     *
     * @throws Exception its failure, or a sentence about what became of it
     */
    void follow(FlinkRest rest, JobClient job) throws Exception {
        long began = System.nanoTime();
        int before = record.cells() - left();
        try {
            JobEnd.follow(
                    rest, job, terminal, () -> line(before, (System.nanoTime() - began) / NANOS));
        } catch (Exception e) {
            if (left() == 0) {
                return; // its cluster has ended before it could say so
            }
            requireEnd(rest, e);
            throw e;
        }
        requireEnd(rest, null);
    }

    /** Says what became of a job that the cluster or someone else has ended. */
    private void requireEnd(FlinkRest rest, Exception failure) throws IOException {
        Optional<Ending> ending = left() == 0 ? Optional.empty() : Ending.of(rest, job());
        if (ending.isPresent()) {
            throw new IllegalStateException(
                    "the job of the study %s. Go on with: %s"
                            .formatted(ending.get().sentence(), goOn()),
                    failure);
        }
    }

    /** The progress in a line: cells that have ended. */
    String line() throws IOException {
        return String.format(
                Locale.ROOT, "%,d of %,d cells", record.cells() - left(), record.cells());
    }

    private String line(int before, double seconds) throws IOException {
        int left = left();
        int ended = record.cells() - left - before;
        return line()
                + (ended > 0 && left > 0
                        ? ", " + StudyRun.duration(seconds / ended * left) + " left"
                        : "");
    }

    /** Writes what the cells came to, as far as they have ended. */
    StudyResults conclude() throws IOException {
        StudyResults results = plan.results(files);
        StudyReport.write(
                files,
                results,
                Provenance.submitted(Clock.systemUTC(), GitState.of(Path.of("")).orElse(null))
                        .finishedNow(Clock.systemUTC()),
                plan.study().described(),
                plan.commands());
        terminal.say("Report: " + ShellWords.shown(root) + "/" + CellFiles.REPORT);
        return results;
    }

    /** The command that runs the cells that are missing. */
    String goOn() {
        return RunHints.resume(record.arguments(), root, null);
    }
}
