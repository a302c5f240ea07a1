package dev.levee.jobs.internal.report.estimate;

import dev.levee.estimation.Estimate;
import dev.levee.estimation.flink.EstimateSink;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.summary.Provenance;

import java.io.IOException;
import java.time.Clock;
import java.util.LinkedHashMap;

/**
 * Writes the results of an estimate where its job runs, so that nobody has to wait for them: {@code
 * estimates.csv}, {@code report.html} and, last, {@code summary.json}.
 *
 * @param provenance version, command and start of the submission
 * @param configuration the options of the estimate
 * @param directory absolute URI of the output directory
 * @param costs the cost of a function service
 */
public record EstimateArtifacts(
        Provenance provenance,
        LinkedHashMap<String, Object> configuration,
        String directory,
        CostModel costs)
        implements EstimateSink {
    /** The file with an estimate for each repetition and treatment. */
    public static final String ESTIMATES = "estimates.csv";

    @Override
    public void write(Estimate estimate) throws IOException {
        RunFiles files = new RunFiles(directory);
        Provenance finished = provenance.finishedNow(Clock.systemUTC());
        files.writeText(ESTIMATES, EstimateFiles.csv(estimate));
        files.writeText(
                "report.html", EstimateReport.page(estimate, finished, configuration, costs));
        files.writeText(
                EstimateFiles.SUMMARY,
                EstimateFiles.summary(estimate, finished, configuration, costs));
    }
}
