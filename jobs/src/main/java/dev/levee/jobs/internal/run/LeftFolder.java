package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.report.estimate.EstimateFiles;
import dev.levee.jobs.internal.report.study.CellFiles;
import dev.levee.k8s.flink.queue.RunQueue;
import dev.levee.operators.rounds.pipeline.PipelinedModel;
import dev.levee.operators.rounds.training.Training;

import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The output folder of an earlier run.
 *
 * @param root absolute URI
 * @param record the content of its {@code run.json}
 */
public record LeftFolder(String root, RunRecord record) {
    /** Levels from a run's folder down to a checkpoint: checkpoints, rule, job, checkpoint. */
    public static final int LEVELS = 4;

    private static final String SILENT = "restart that cluster, which does not answer";
    private static final String FORGET =
            "; if it will not come back, delete run.json in the folder";

    /**
     * Finds the folder of a run.
     *
     * @param folder the run's {@code --output}, or the name of a folder below {@code levee-runs}
     * @throws IllegalArgumentException if it is no folder of a run; one sentence
     */
    public static LeftFolder of(String folder) throws IOException {
        for (String each : List.of(folder, "levee-runs/" + folder)) {
            String root = OutputLayout.absolute(each);
            Optional<RunRecord> record = new RunFiles(root).record();
            if (record.isPresent()) {
                return new LeftFolder(root, record.get());
            }
        }
        throw new IllegalArgumentException(
                folder
                        + " is not a run folder: it has no run.json; levee runs DIR lists the runs"
                        + " below DIR");
    }

    /**
     * Finds the run's folder at or above a path, such as that of a checkpoint; empty if there is
     * none.
     *
     * @throws IllegalArgumentException if the run's record is damaged; one sentence
     */
    public static Optional<LeftFolder> above(String path) throws IOException {
        Path each = new Path(OutputLayout.absolute(path));
        for (int level = 0; level <= LEVELS && each != null; level++) {
            Optional<RunRecord> record = new RunFiles(each.toString()).record();
            if (record.isPresent()) {
                return Optional.of(new LeftFolder(each.toString(), record.get()));
            }
            each = each.getParent();
        }
        return Optional.empty();
    }

    /**
     * Finds the record of the run to resume. It is in the folder that holds the checkpoint, or in
     * the output folder if the run keeps its checkpoints elsewhere.
     *
     * @param resume the checkpoint or directory to resume from
     * @param root the output folder
     */
    static Optional<RunRecord> resumed(String resume, String root) throws IOException {
        return resumedIn(resume, root).map(LeftFolder::record);
    }

    private static Optional<LeftFolder> resumedIn(String resume, String root) throws IOException {
        Optional<LeftFolder> above = above(resume);
        return above.isPresent()
                ? above
                : new RunFiles(OutputLayout.absolute(root))
                        .record()
                        .filter(record -> isBelow(resume, record.checkpoints()))
                        .map(record -> new LeftFolder(OutputLayout.absolute(root), record));
    }

    /**
     * Finds the checkpoint with which one run of a plan continues. Empty if it starts from the
     * beginning, because no command has submitted the run's job.
     *
     * @throws IllegalArgumentException if there is none, or it is damaged or of a run with other
     *     settings; one sentence
     */
    static Optional<String> checkpoint(RunPlan plan, int index) throws IOException {
        Optional<String> found = checkpoint(plan.deployment().resume(), plan.layout(), index);
        if (found.isPresent()) {
            Checkpoints.requireOf(plan.trainings().get(index).runId(), found.get());
        }
        return found;
    }

    /**
     * Like {@link #checkpoint(RunPlan, int)}, for a run with any settings.
     *
     * @param resume the checkpoint or directory to resume from
     */
    static Optional<String> checkpoint(String resume, OutputLayout layout, int index)
            throws IOException {
        String name = layout.name(index);
        Optional<LeftFolder> run = resumedIn(resume, layout.root());
        List<String> jobs = run.isPresent() ? run.get().jobs(name) : List.of();
        try {
            return Optional.of(
                    Checkpoints.findSound(resume, name, jobs, layout.names().size() == 1));
        } catch (Checkpoints.NoCheckpointException e) {
            if (run.isPresent() && run.get().neverSubmitted(name)) {
                return run.get().earlier(name);
            }
            throw e;
        }
    }

    /**
     * The checkpoint of a run's job before the command that did not submit it, if there was one.
     */
    private Optional<String> earlier(String name) throws IOException {
        return record.first() || !Checkpoints.ofAll(record.checkpoints(), List.of(name))
                ? Optional.empty()
                : Optional.of(Checkpoints.findSound(record.checkpoints(), name, jobs(name), false));
    }

    /**
     * The ids of the earlier jobs of a run that continues in its own folder, newest first. A job is
     * left out if another run has written its checkpoints there, because a finished run deletes
     * those of the others.
     */
    static List<String> earlierJobs(RunPlan plan, int index) throws IOException {
        String root = plan.layout().root();
        String name = plan.layout().name(index);
        Optional<RunRecord> record;
        try {
            record =
                    plan.deployment().resume() == null
                            ? Optional.empty()
                            : new RunFiles(root).record();
        } catch (IllegalArgumentException e) {
            return List.of(); // --overwrite replaces what is no record
        }
        List<String> earlier = new ArrayList<>();
        if (record.isPresent()) {
            for (String job : new LeftFolder(root, record.get()).jobs(name)) {
                Optional<String> newest =
                        Checkpoints.newestWhole(root + "/checkpoints/" + name + "/" + job);
                String runId = plan.trainings().get(index).runId();
                if (newest.isEmpty() || CheckpointFiles.mayBeOf(runId, newest.get())) {
                    earlier.add(job);
                }
            }
        }
        return earlier;
    }

    /** The ids of a run's jobs, newest first, as far as they are known. */
    private List<String> jobs(String name) throws IOException {
        int index = record.layout(root).names().indexOf(name);
        if (index < 0) {
            return List.of();
        }
        RunRecord.Job last = record.jobs().get(index);
        List<String> jobs = new ArrayList<>();
        if (last.id() != null && record.queue() == null) {
            jobs.add(last.id());
        } else if (last.id() != null) {
            Optional<RunQueue.Entry> entry =
                    RunQueue.in(java.nio.file.Path.of(record.queue())).find(last.id());
            if (entry.isEmpty()) {
                return List.of(); // the newest jobs are unknown, so none comes first
            }
            jobs.addAll(entry.get().jobs());
        }
        jobs.addAll(last.earlier());
        return jobs;
    }

    private boolean neverSubmitted(String name) throws IOException {
        OutputLayout layout = record.layout(root);
        int index = layout.names().indexOf(name);
        return index >= 0
                && record.jobs().get(index).id() == null
                && new RunFiles(layout.directory(index)).summary().isEmpty();
    }

    private static boolean isBelow(String path, String folder) {
        return folder != null && (OutputLayout.absolute(path) + "/").startsWith(folder + "/");
    }

    /**
     * Finds the last layers of the stages with which the run to resume started, so that it keeps
     * them. Empty for a new run, for a plan, and if they are unknown.
     */
    static List<Integer> lastLayers(RunConfig config, Deployment deployment) {
        if (deployment.resume() == null || !config.measuresStages()) {
            return List.of();
        }
        try {
            return recorded(deployment).map(RunRecord::stages).orElse(List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The record above the checkpoint, or in the output folder, as for a savepoint elsewhere. */
    private static Optional<RunRecord> recorded(Deployment deployment) throws IOException {
        Optional<LeftFolder> above = above(deployment.resume());
        return above.isPresent() || deployment.output() == null
                ? above.map(LeftFolder::record)
                : new RunFiles(OutputLayout.absolute(deployment.output())).record();
    }

    /**
     * Refuses to resume a plan with another model than the run had.
     *
     * @throws IllegalArgumentException if the model's size or its stages differ, or stages that
     *     keep momentum are unknown; one sentence
     */
    static void requireSameModel(RunPlan plan) throws IOException {
        Training training = plan.trainings().get(0);
        String resume = plan.deployment().resume();
        requireSize(resume, plan.layout().root(), training.model().layout().size());
        if (!(training.model() instanceof PipelinedModel pipeline)
                || !training.blockwise()
                || !training.work().keepsSent()) {
            return;
        }
        Optional<RunRecord> record = recorded(plan.deployment());
        if (record.isEmpty() && plan.config().measuresStages()) {
            throw new IllegalArgumentException(
                    "--resume %s is not in the folder of its run, which has the stages of --pipeline %s in run.json: name that folder with --output"
                            .formatted(resume, plan.config().pipeline()));
        }
        List<Integer> before = record.map(RunRecord::stages).orElse(pipeline.lastLayers());
        if (!before.equals(pipeline.lastLayers())) {
            throw new IllegalArgumentException(
                    "--resume %s is a run whose stages end with layers %s, and those of --pipeline %s end with %s"
                            .formatted(
                                    resume,
                                    before,
                                    plan.config().pipeline(),
                                    pipeline.lastLayers()));
        }
    }

    /**
     * Refuses to resume a run whose model has another size, such as one with other layers.
     *
     * @throws IllegalArgumentException if the sizes differ; one sentence
     */
    static void requireSize(String resume, String root, int parameters) throws IOException {
        Optional<Integer> before = resumed(resume, root).map(RunRecord::parameters);
        if (before.isPresent() && before.get() != parameters) {
            throw new IllegalArgumentException(
                    "--resume %s is a run of a model with %d parameters, and this one has %d"
                            .formatted(resume, before.get(), parameters));
        }
    }

    /**
     * Refuses the folder of a run that has not ended. A new run there would replace the record with
     * which its jobs are found.
     *
     * @param given the folder as the user named it
     * @param root the same as an absolute URI
     * @param overwrite true if the folder may hold a {@code run.json} of another program
     * @param goesOn true to continue the run, which the user may do when its cluster is gone
     * @throws IllegalArgumentException if a job of the run is running or waiting, or its cluster
     *     does not answer; one sentence
     */
    public static void requireEnded(String given, String root, boolean overwrite, boolean goesOn)
            throws IOException {
        Optional<RunRecord> record;
        try {
            record = new RunFiles(root).record();
        } catch (IllegalArgumentException e) {
            if (overwrite) {
                return;
            }
            throw e;
        }
        if (record.isEmpty()) {
            return;
        }
        boolean gone =
                goesOn && record.get().queue() == null && new LeftCluster(record.get()).gone();
        for (LeftRun.State each : new LeftFolder(root, record.get()).states()) {
            if (!each.ended() && !(gone && each.state().equals(LeftRun.UNKNOWN))) {
                throw new IllegalArgumentException(
                        "--output %s belongs to a run that has not ended (%s on %s): choose another folder, or %s"
                                .formatted(
                                        given,
                                        each.state(),
                                        record.get().cluster(),
                                        each.state().equals(LeftRun.UNKNOWN)
                                                ? SILENT + (goesOn ? "" : FORGET)
                                                : "end that run with levee cancel"));
            }
        }
    }

    private List<LeftRun.State> states() throws IOException {
        if (!record.estimates() && !record.studies()) {
            return new ReturnToRun(this).status();
        }
        RunRecord.Job job = record.jobs().get(0);
        LeftCluster cluster = new LeftCluster(record);
        LeftRun.State state =
                cluster.state(
                        job.rule(),
                        job.id(),
                        () -> new LeftCluster.Seen(cluster.flink(job.id()), ""));
        return state.state().equals(LeftRun.UNKNOWN) && hasResults() ? List.of() : List.of(state);
    }

    private boolean hasResults() throws IOException {
        return record.studies()
                ? new CellFiles(root).ended().size() >= record.cells()
                : EstimateFiles.read(root).isPresent();
    }
}
