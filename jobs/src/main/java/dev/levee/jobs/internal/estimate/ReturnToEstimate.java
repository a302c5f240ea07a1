package dev.levee.jobs.internal.estimate;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.jobs.internal.run.LeftCluster;
import dev.levee.jobs.internal.run.LeftCluster.Seen;
import dev.levee.jobs.internal.run.LeftFolder;
import dev.levee.jobs.internal.run.LeftRun;
import dev.levee.jobs.internal.run.cluster.SessionClients;
import dev.levee.jobs.internal.run.follow.Terminal;

import org.apache.flink.api.common.JobID;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/** A submitted estimate that the user comes back to. */
public final class ReturnToEstimate implements LeftRun {
    private final LeftFolder folder;
    private final LeftCluster cluster;
    private final Consumer<JsonNode> table;

    /**
     * @param table shows a summary
     */
    public ReturnToEstimate(LeftFolder folder, Consumer<JsonNode> table) {
        this.folder = folder;
        this.cluster = new LeftCluster(folder.record());
        this.table = table;
    }

    private SubmittedEstimate estimate(Terminal terminal) {
        return new SubmittedEstimate(folder.root(), folder.record(), terminal);
    }

    @Override
    public void attach(Terminal terminal) throws Exception {
        SubmittedEstimate estimate = estimate(terminal);
        if (estimate.summary().isEmpty()) {
            LeftCluster.follow(
                    terminal,
                    folder.root(),
                    () -> {
                        cluster.await(estimate.goOn(Optional.empty()), terminal);
                        JobID job = JobID.fromHexString(estimate.job());
                        estimate.follow(
                                cluster.rest(), SessionClients.job(cluster.rest().address(), job));
                    });
        }
        table.accept(estimate.conclude());
    }

    @Override
    public List<State> status() throws IOException {
        SubmittedEstimate estimate = estimate(null);
        Optional<JsonNode> summary = estimate.summary();
        if (summary.isPresent()) {
            return List.of(new State(estimate.name(), "FINISHED", results(summary.get()), true));
        }
        return List.of(
                cluster.state(
                        estimate.name(),
                        estimate.job(),
                        () -> {
                            EstimateProgress progress = estimate.progress(cluster.rest());
                            String status = progress.look();
                            return new Seen(status, progress.line());
                        }));
    }

    /** Each treatment's coefficient, with its standard error. */
    private static String results(JsonNode summary) {
        List<String> effects = new ArrayList<>();
        summary.path("treatments")
                .properties()
                .forEach(
                        each ->
                                effects.add(
                                        String.format(
                                                Locale.ROOT,
                                                "%s %.4g (standard error %.2g)",
                                                each.getKey(),
                                                each.getValue().path("coefficient").asDouble(),
                                                each.getValue().path("standardError").asDouble())));
        return String.join(", ", effects);
    }

    @Override
    public void cancel(Terminal terminal) throws IOException {
        SubmittedEstimate estimate = estimate(terminal);
        boolean cancelled =
                estimate.summary().isEmpty() && cluster.cancel(estimate.name(), estimate.job());
        LeftCluster.sayCancelled(cancelled ? 1 : 0, estimate.goOn(Optional.empty()), terminal);
    }
}
