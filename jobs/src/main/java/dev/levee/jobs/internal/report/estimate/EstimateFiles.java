package dev.levee.jobs.internal.report.estimate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

import dev.levee.estimation.Effect;
import dev.levee.estimation.Estimate;
import dev.levee.estimation.NuisanceFunction;
import dev.levee.estimation.Sensitivity;
import dev.levee.estimation.TreatmentEstimate;
import dev.levee.jobs.internal.report.OutputFolder;
import dev.levee.jobs.internal.report.summary.Provenance;

import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Formats and reads the files of an estimate, and checks its output folder. */
public final class EstimateFiles {
    static final String SUMMARY = "summary.json";

    private static final Set<String> OWN =
            Set.of(
                    SUMMARY,
                    EstimateArtifacts.ESTIMATES,
                    "report.html",
                    "data.csv",
                    "run.json",
                    "levee.log",
                    OutputFolder.CHECKPOINTS);

    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private EstimateFiles() {}

    /** The contents of {@code summary.json}; missing numbers are null. */
    static String summary(
            Estimate estimate,
            Provenance provenance,
            Map<String, Object> configuration,
            CostModel costs)
            throws IOException {
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("provenance", provenance);
        summary.put("configuration", configuration);
        summary.put("observations", estimate.observations());
        summary.put("score", estimate.specification().score().label());
        Map<String, Object> treatments = new LinkedHashMap<>();
        for (Effect each : estimate.effects()) {
            treatments.put(each.treatment(), effect(each, estimate));
        }
        summary.put("treatments", treatments);
        summary.put("jointCriticalValue", finite(estimate.criticalValue()));
        summary.put("fits", estimate.fits());
        double seconds = estimate.times().seconds();
        summary.put("fitSeconds", seconds);
        summary.put("gbSeconds", costs.gbSeconds(seconds));
        summary.put("cost", costs.cost(seconds));
        summary.put(
                "costs", costs.scalings(estimate).stream().map(EstimateFiles::scaling).toList());
        return JSON.writeValueAsString(summary) + "\n";
    }

    private static Map<String, Object> scaling(CostModel.Scaling scaling) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("scaling", scaling.scaling());
        told.put("tasks", scaling.tasks());
        told.put("meanSeconds", scaling.meanSeconds());
        told.put("longestSeconds", finite(scaling.longestSeconds()));
        told.put("gbSeconds", scaling.gbSeconds());
        told.put("cost", scaling.cost());
        return told;
    }

    private static Map<String, Object> effect(Effect effect, Estimate estimate) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("coefficient", finite(effect.coefficient()));
        told.put("standardError", finite(effect.standardError()));
        told.put("t", finite(effect.t()));
        told.put("p", finite(effect.p()));
        told.put("lower", finite(effect.lower()));
        told.put("upper", finite(effect.upper()));
        told.put("jointLower", finite(effect.jointLower()));
        told.put("jointUpper", finite(effect.jointUpper()));
        Map<String, Object> losses = new LinkedHashMap<>();
        List<NuisanceFunction> functions = estimate.functions();
        for (int q = 0; q < functions.size(); q++) {
            losses.put(functions.get(q).label(), finite(effect.losses()[q]));
        }
        told.put("nuisanceLosses", losses);
        Sensitivity sensitivity = effect.sensitivity();
        if (sensitivity != null) {
            Map<String, Object> bounds = new LinkedHashMap<>();
            bounds.put("cfY", sensitivity.confounding().cfY());
            bounds.put("cfD", sensitivity.confounding().cfD());
            bounds.put("rho", sensitivity.confounding().rho());
            bounds.put("nullHypothesis", sensitivity.confounding().nullHypothesis());
            bounds.put("lower", finite(sensitivity.lower()));
            bounds.put("upper", finite(sensitivity.upper()));
            bounds.put("lowerLimit", finite(sensitivity.lowerLimit()));
            bounds.put("upperLimit", finite(sensitivity.upperLimit()));
            bounds.put("robustnessValue", finite(sensitivity.robustness()));
            bounds.put(
                    "robustnessValueWithConfidence",
                    finite(sensitivity.robustnessWithConfidence()));
            told.put("sensitivity", bounds);
        }
        return told;
    }

    private static Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }

    /** The contents of {@code estimates.csv}: a line for each repetition and treatment. */
    static String csv(Estimate estimate) {
        StringBuilder csv = new StringBuilder("repetition,treatment,coefficient,standardError");
        estimate.functions().forEach(each -> csv.append(',').append(quoted(each.label())));
        csv.append('\n');
        for (int m = 0; m < estimate.specification().repetitions(); m++) {
            for (Effect effect : estimate.effects()) {
                TreatmentEstimate each = effect.repetitions().get(m);
                csv.append(m + 1).append(',').append(quoted(effect.treatment()));
                csv.append(',').append(each.theta()).append(',').append(each.standardError());
                for (double loss : each.losses()) {
                    csv.append(',').append(loss);
                }
                csv.append('\n');
            }
        }
        return csv.toString();
    }

    private static String quoted(String text) {
        return text.matches("[^,\"\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    /** The summary in a folder, empty if there is none. */
    public static Optional<JsonNode> read(String directory) throws IOException {
        Path path = new Path(directory, SUMMARY);
        FileSystem files = path.getFileSystem();
        if (!files.exists(path)) {
            return Optional.empty();
        }
        try (FSDataInputStream in = files.open(path)) {
            return Optional.of(JSON.readTree(in.readAllBytes()));
        }
    }

    /**
     * Deletes the summary of an earlier estimate in this directory, also of one that is resumed,
     * because a summary means that the estimate has ended.
     */
    public static void forget(String directory) throws IOException {
        Path path = new Path(directory, SUMMARY);
        path.getFileSystem().delete(path, false);
    }

    /**
     * Refuses a folder with files of others, or with the results of another estimate.
     *
     * @param given the folder as the user named it
     * @param resumed true if the estimate continues the one in the folder
     * @throws IllegalArgumentException if the folder holds such files; one sentence
     */
    public static void check(
            String given, String directory, Map<String, Object> configuration, boolean resumed)
            throws IOException {
        OutputFolder.requireOnly(given, directory, "", OWN, "an estimate");
        Optional<JsonNode> before = read(directory);
        if (before.isPresent() && !resumed && !isOf(before.get(), configuration)) {
            throw new IllegalArgumentException(
                    "--output %s holds the results of other options: choose another folder, or pass --overwrite to replace them"
                            .formatted(given));
        }
    }

    private static boolean isOf(JsonNode summary, Map<String, Object> configuration)
            throws IOException {
        // Parse what would be written, because a parsed number is not equal to a long.
        JsonNode written = JSON.readTree(JSON.writeValueAsBytes(configuration));
        return summary.path("configuration").equals(written);
    }
}
