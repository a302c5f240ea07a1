package dev.levee.jobs.internal.report;

import dev.levee.connectors.data.Datasets;
import dev.levee.federated.FederatedRun;
import dev.levee.federated.images.ImageScorer;
import dev.levee.federated.plan.StalenessWeight;
import dev.levee.gar.Blocks;
import dev.levee.jobs.internal.audit.AuditKey;
import dev.levee.jobs.internal.audit.AuditLog;
import dev.levee.jobs.internal.report.summary.DecisionsCsv;
import dev.levee.jobs.internal.report.summary.DevicesCsv;
import dev.levee.jobs.internal.report.summary.FederatedSummary;
import dev.levee.jobs.internal.report.summary.ImagesSummary;
import dev.levee.jobs.internal.report.summary.MetricsCsv;
import dev.levee.jobs.internal.report.summary.Provenance;
import dev.levee.jobs.internal.report.summary.Sample;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.learners.FlatVector;
import dev.levee.learners.GenerativeModel;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.operators.rounds.pipeline.PipelinedModel;
import dev.levee.operators.rounds.training.RoundLog;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.RunSink;
import dev.levee.operators.rounds.training.Training;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Leaves a run's summary, metrics, report and model in its output directory. */
public final class ArtifactSink implements RunSink {
    private static final long serialVersionUID = 1L;

    /** The setting that names the user's own features. */
    private static final String NETWORK = "score-network";

    /** Parameters of a pipeline that is asked about samples, at most. */
    private static final int MOST_ASKED = 1 << 23;

    private final Provenance provenance;
    private final LinkedHashMap<String, Object> configuration;
    private final Double guessingLoss;
    private final OutputLayout layout;
    private final int index;
    private final AuditKey audit;

    /** Trained where images are first scored. */
    private transient ImageScorer scorer;

    /**
     * @param provenance of the submission
     * @param configuration what the summary says was trained
     * @param guessingLoss training loss of a model that guesses, null if nobody knows it
     * @param layout where the results of all runs go
     * @param index which of them this one is
     * @param audit signs the log of its rounds; null if none is kept
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
        URI folder = URI.create(layout.directory(index));
        int dimension = FederatedRun.model(training).layout().size();
        return AuditLog.open(AuditLog.in(folder), kept, audit, about, dimension);
    }

    @Override
    public void evaluated(Training training, int server, long iteration, FlatVector parameters)
            throws IOException {
        // Only of the first server, as in the rest of the report.
        if (server == 0 && training.model() instanceof GenerativeModel model) {
            if (scorer == null) {
                scorer =
                        ImageScorer.train(
                                training.data().uri(), (String) configuration.get(NETWORK));
            }
            new GeneratedImages(layout.directory(index))
                    .write(model, iteration, parameters.all(), scorer);
        }
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
        Provenance finished = provenance.finishedNow(Clock.systemUTC());
        files.write(
                Summary.of(finished, configuration, guessingLoss, result),
                FederatedRun.find(result.training()).isPresent()
                        ? FederatedSummary.of(result, images(result))
                        : null,
                MetricsCsv.of(result),
                samples(result));
        RunFiles.writeReport(layout);
    }

    private ImagesSummary images(RunResult result) throws IOException {
        return result.training().model() instanceof GenerativeModel
                ? ImagesSummary.of(new GeneratedImages(layout.directory(index)).scores())
                : null;
    }

    /**
     * None of a model that does not classify, nor of a pipeline so large that to read it once for
     * each question takes minutes.
     */
    private static List<Sample> samples(RunResult result) {
        Model whole = result.training().model();
        boolean slow = whole instanceof PipelinedModel && result.vector().size() > MOST_ASKED;
        if (slow || whole instanceof GenerativeModel) {
            return List.of();
        }
        try (Learner learner = FederatedRun.model(result.training()).newLearner()) {
            return Samples.of(
                    Datasets.open(result.training().data().uri(), Datasets.Split.TEST),
                    learner,
                    result.vector());
        }
    }
}
