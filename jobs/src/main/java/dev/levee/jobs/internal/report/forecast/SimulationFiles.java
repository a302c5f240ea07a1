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

/** Results of simulations in a directory: {@code summary.json}, {@code jobs.csv}, a report. */
public final class SimulationFiles {
    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private SimulationFiles() {}

    /** Writes them; the summary last, since it says that the others are there. */
    public static void write(
            Path directory, Map<String, Object> configuration, List<Outcome> outcomes)
            throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("jobs.csv"), jobs(outcomes));
        Files.writeString(
                directory.resolve("report.html"), SimulationReport.of(configuration, outcomes));
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("configuration", configuration);
        summary.put("results", outcomes.stream().map(SimulationFiles::result).toList());
        Files.writeString(
                directory.resolve("summary.json"), JSON.writeValueAsString(summary) + "\n");
    }

    private static Map<String, Object> result(Outcome outcome) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("policy", outcome.policy());
        result.put("workload", outcome.workload());
        result.put("jobs", outcome.jobs().size());
        result.put("averageJctSeconds", outcome.averageJctSeconds());
        result.put("makespanSeconds", outcome.makespanSeconds());
        result.put("averageQueueingSeconds", outcome.averageQueueingSeconds());
        result.put("longestWaitSeconds", outcome.longestWaitSeconds());
        result.put("averageThroughput", outcome.averageThroughput());
        result.put("restarts", outcome.restarts());
        return result;
    }

    private static String jobs(List<Outcome> outcomes) {
        StringBuilder csv =
                new StringBuilder(
                        "policy,workload,job,arrivalSeconds,startSeconds,finishSeconds,jctSeconds,queueingSeconds,longestWaitSeconds,restarts,workerSeconds,samples\n");
        for (Outcome outcome : outcomes) {
            for (Outcome.Job job : outcome.jobs()) {
                csv.append(
                        String.format(
                                Locale.ROOT,
                                "%s,%s,%s,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%d,%.3f,%.0f\n",
                                outcome.policy(),
                                outcome.workload(),
                                job.id(),
                                job.arrival(),
                                job.started(),
                                job.finished(),
                                job.completionSeconds(),
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
