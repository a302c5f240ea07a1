package dev.levee.jobs.internal.report.forecast;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

import dev.levee.k8s.simulator.Outcome;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes the results of simulations to a directory: {@code summary.json}, {@code jobs.csv}, a
 * report.
 */
public final class SimulationFiles {
    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private SimulationFiles() {}

    /** Writes the files. The summary is last, because it marks the others as complete. */
    public static void write(
            Path directory, Map<String, Object> configuration, List<SimulationResult> results)
            throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("jobs.csv"), jobs(results));
        Files.writeString(
                directory.resolve("report.html"), SimulationReport.of(configuration, results));
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("configuration", configuration);
        summary.put("results", results.stream().map(SimulationFiles::result).toList());
        Files.writeString(
                directory.resolve("summary.json"), JSON.writeValueAsString(summary) + "\n");
    }

    private static Map<String, Object> result(SimulationResult each) {
        Outcome outcome = each.outcome();
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("policy", outcome.policy());
        result.put("workload", outcome.workload());
        result.put("jobs", outcome.jobs().size());
        result.put("averageJctSeconds", outcome.averageJctSeconds());
        result.put("makespanSeconds", outcome.makespanSeconds());
        result.put("worstRho", each.fairness().worst());
        result.put("rho90", each.fairness().percentile90());
        result.put("averageQueueingSeconds", outcome.averageQueueingSeconds());
        result.put("longestWaitSeconds", outcome.longestWaitSeconds());
        result.put("averageThroughput", outcome.averageThroughput());
        result.put("restarts", outcome.restarts());
        return result;
    }

    private static String jobs(List<SimulationResult> results) {
        StringBuilder csv =
                new StringBuilder(
                        "policy,workload,job,arrivalSeconds,startSeconds,finishSeconds,jctSeconds,rho,queueingSeconds,longestWaitSeconds,restarts,workerSeconds,samples\n");
        for (SimulationResult each : results) {
            Outcome outcome = each.outcome();
            for (int i = 0; i < outcome.jobs().size(); i++) {
                Outcome.Job job = outcome.jobs().get(i);
                csv.append(
                        String.format(
                                Locale.ROOT,
                                "%s,%s,%s,%.3f,%.3f,%.3f,%.3f,%.4f,%.3f,%.3f,%d,%.3f,%.0f\n",
                                outcome.policy(),
                                outcome.workload(),
                                job.id(),
                                job.arrival(),
                                job.started(),
                                job.finished(),
                                job.completionSeconds(),
                                each.fairness().rho().get(i),
                                job.waited(),
                                job.longestWait(),
                                job.restarts(),
                                job.workerSeconds(),
                                job.samples()));
            }
        }
        return csv.toString();
    }
}
