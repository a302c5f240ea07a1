package dev.levee.jobs.internal.study;

import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.report.study.CellFiles;
import dev.levee.jobs.internal.report.study.StudyReport;
import dev.levee.jobs.internal.report.study.StudyResults;
import dev.levee.jobs.internal.report.summary.Provenance;
import dev.levee.jobs.internal.run.GitState;
import dev.levee.jobs.internal.run.LeftCluster;
import dev.levee.jobs.internal.run.LeftFolder;
import dev.levee.jobs.internal.run.OneJob;
import dev.levee.jobs.internal.run.RunHints;
import dev.levee.jobs.internal.run.ShellWords;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** The submitted job of a study. */
public record SubmittedStudy(
        StudyPlan plan, CellFiles files, String root, RunRecord record, Terminal terminal)
        implements OneJob<StudyResults> {
    /** The name of the job. */
    static final String NAME = "study";

    private static final double NANOS = 1e9;

    /** Opens the study whose record is in a folder. */
    public static SubmittedStudy left(LeftFolder folder, Terminal terminal) throws IOException {
        CellFiles files = new CellFiles(folder.root());
        Study study = Study.read(files.grid(), Path.of("study.yaml"));
        // The data may be elsewhere now, so the reasons recorded at submission apply.
        Optional<Map<String, String>> refused = files.refused();
        StudyPlan plan =
                refused.isPresent()
                        ? new StudyPlan(study, study.cells(), refused.get())
                        : StudyPlan.of(study);
        return new SubmittedStudy(plan, files, folder.root(), folder.record(), terminal);
    }

    /** The number of the job's unfinished cells. */
    private int left() throws IOException {
        return plan.notEnded(files).size();
    }

    @Override
    public boolean done() throws IOException {
        return left() == 0;
    }

    @Override
    public LeftCluster.Seen look(FlinkRest rest) throws IOException {
        return new LeftCluster.Seen(rest.get("/jobs/" + job()).path("state").asText(), outcome());
    }

    @Override
    public Callable<String> progress(FlinkRest rest) throws IOException {
        long began = System.nanoTime();
        int before = record.cells() - left();
        return () -> line(before, (System.nanoTime() - began) / NANOS);
    }

    /** The number of finished cells, in words. */
    @Override
    public String outcome() throws IOException {
        return outcome(left());
    }

    private String outcome(int left) {
        return String.format(
                Locale.ROOT, "%,d of %,d cells", record.cells() - left, record.cells());
    }

    private String line(int before, double seconds) throws IOException {
        int left = left();
        int ended = record.cells() - left - before;
        return outcome(left)
                + (ended > 0 && left > 0
                        ? ", " + StudyRun.duration(seconds / ended * left) + " left"
                        : "");
    }

    /** Writes the page and the tables about the finished cells. */
    @Override
    public StudyResults conclude() throws IOException {
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

    /** The command that runs the missing cells. */
    @Override
    public Optional<String> goOn(Optional<String> savepoint) {
        return Optional.of(RunHints.resume(record.arguments(), root, null));
    }
}
