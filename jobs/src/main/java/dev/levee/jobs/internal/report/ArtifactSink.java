package dev.levee.jobs.internal.report;

import dev.levee.federated.FederatedRun;
import dev.levee.federated.plan.StalenessWeight;
import dev.levee.gar.block.Blocks;
import dev.levee.jobs.internal.audit.AuditKey;
import dev.levee.jobs.internal.audit.AuditLog;
import dev.levee.jobs.internal.report.summary.DecisionsCsv;
import dev.levee.jobs.internal.report.summary.DevicesCsv;
import dev.levee.jobs.internal.report.summary.FederatedSummary;
import dev.levee.jobs.internal.report.summary.MetricsCsv;
import dev.levee.jobs.internal.report.summary.Provenance;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.learners.FlatVector;
import dev.levee.learners.Model;
import dev.levee.operators.rounds.training.RoundLog;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.RunSink;
import dev.levee.operators.rounds.training.Training;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Writes a run's summary, metrics, report and model to its output directory. */
public final class ArtifactSink implements RunSink {
    private static final long serialVersionUID = 1L;

    /** The setting that names the user's own network for features of images. */
    private static final String NETWORK = "score-network";

    private final Provenance provenance;
    private final LinkedHashMap<String, Object> configuration;
    private final Double guessingLoss;
    private final OutputLayout layout;
    private final int index;
    private final AuditKey audit;

    /** Created at the first evaluation. */
    private transient ModelResults results;

    /**
     * @param provenance version, command and start of the submission
     * @param configuration the settings that the summary shows
     * @param guessingLoss training loss of a model that guesses, null if unknown
     * @param layout the places of the results of all runs
     * @param index index of this run in the layout
     * @param audit key that signs the log of rounds; null if there is no log
     */
    public ArtifactSink(
            Provenance provenance,
            LinkedHashMap<String, Object> configuration,
            Double guessingLoss,
            OutputLayout layout,
            int index,
            AuditKey audit) {
        this.provenance = provenance;
        this.configuration = configuration;
        this.guessingLoss = guessingLoss;
        this.layout = layout;
        this.index = index;
        this.audit = audit;
    }

    @Override
    public RoundLog log(Training training, byte[] kept) throws IOException {
        if (audit == null) {
            return null;
        }
        Map<String, Object> about = new LinkedHashMap<>();
        about.put("run", training.runId());
        about.put("rule", training.rule().name());
        about.put("blockSize", Blocks.SIZE);
        about.put("submission", provenance);
        about.put("configuration", configuration);
        URI folder = OutputLayout.uri(layout.directory(index));
        int dimension = FederatedRun.model(training).layout().size();
        return AuditLog.open(AuditLog.in(folder), kept, audit, about, dimension);
    }

    @Override
    public void evaluated(Training training, int server, long iteration, FlatVector parameters)
            throws IOException {
        // Results are of the first server only, as in the rest of the report.
        if (server == 0) {
            results = results != null ? results : results(training);
            results.evaluated(iteration, parameters);
        }
    }

    private ModelResults results(Training training) {
        return ModelResults.of(
                training, layout.directory(index), (String) configuration.get(NETWORK));
    }

    @Override
    public void finished(RunResult all) throws IOException {
        RunResult result = FederatedRun.bare(all);
        Model model = FederatedRun.model(result.training());
        RunFiles files = new RunFiles(layout.directory(index));
        files.write(model, result.vector());
        for (int server = 0; server < result.servers().size(); server++) {
            if (server != result.first()) {
                files.writeServer(server, model, result.servers().get(server).vector());
            }
        }
        Optional<StalenessWeight> decides = FederatedRun.decides(result.training());
        if (decides.isPresent() && result.stretch() == 1) {
            files.writeDecisions(DecisionsCsv.of(result, decides.get()));
        }
        if (!result.scores().isEmpty()) {
            files.writeDevices(DevicesCsv.of(result.scores()));
        }
        ModelResults shown = results(result.training());
        Provenance finished = provenance.finishedNow(Clock.systemUTC());
        files.write(
                Summary.of(finished, configuration, guessingLoss, result),
                FederatedRun.find(result.training()).isPresent()
                        ? FederatedSummary.of(result, shown.images())
                        : null,
                MetricsCsv.of(result),
                shown.samples(result.vector()));
        RunFiles.writeReport(layout);
    }
}
