package dev.levee.jobs.internal.study;

import dev.levee.jobs.internal.report.study.CellFiles;
import dev.levee.jobs.internal.report.study.StudyResults;
import dev.levee.jobs.internal.run.LeftCluster;
import dev.levee.jobs.internal.run.LeftFolder;
import dev.levee.jobs.internal.run.LeftRun;
import dev.levee.jobs.internal.run.cluster.SessionClients;
import dev.levee.jobs.internal.run.follow.Terminal;

import org.apache.flink.api.common.JobID;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A submitted study that the user comes back to. */
public final class ReturnToStudy implements LeftRun {
    private final LeftFolder folder;
    private final LeftCluster cluster;
    private final Consumer<StudyResults> table;

    /**
     * @param table shows results
     */
    public ReturnToStudy(LeftFolder folder, Consumer<StudyResults> table) {
        this.folder = folder;
        this.cluster = new LeftCluster(folder.record());
        this.table = table;
    }

    private SubmittedStudy study(Terminal terminal) throws IOException {
        CellFiles files = new CellFiles(folder.root());
        Path grid = Files.createTempFile("levee-study-", ".yaml");
        try {
            Files.writeString(grid, files.grid());
            StudyPlan plan = StudyPlan.of(Study.read(grid));
            return new SubmittedStudy(plan, files, folder.root(), folder.record(), terminal);
        } finally {
            Files.delete(grid);
        }
    }

    @Override
    public void attach(Terminal terminal) throws Exception {
        SubmittedStudy study = study(terminal);
        if (study.left() > 0) {
            LeftCluster.follow(
                    terminal,
                    folder.root(),
                    () -> {
                        cluster.await(Optional.of(study.goOn()), terminal);
                        JobID job = JobID.fromHexString(study.job());
                        study.follow(
                                cluster.rest(), SessionClients.job(cluster.rest().address(), job));
                    });
        }
        table.accept(study.conclude());
    }

    @Override
    public List<State> status() throws IOException {
        SubmittedStudy study = study(null);
        if (study.left() == 0) {
            return List.of(new State(SubmittedStudy.NAME, "FINISHED", study.line(), true));
        }
        return List.of(
                cluster.state(
                        SubmittedStudy.NAME,
                        study.job(),
                        () ->
                                new LeftCluster.Seen(
                                        cluster.rest()
                                                .get("/jobs/" + study.job())
                                                .path("state")
                                                .asText(),
                                        study.line())));
    }

    @Override
    public void cancel(Terminal terminal) throws IOException {
        SubmittedStudy study = study(terminal);
        boolean cancelled = study.left() > 0 && cluster.cancel(SubmittedStudy.NAME, study.job());
        LeftCluster.sayCancelled(cancelled ? 1 : 0, Optional.of(study.goOn()), terminal);
    }
}
