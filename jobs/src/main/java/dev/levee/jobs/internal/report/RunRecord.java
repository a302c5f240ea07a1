package dev.levee.jobs.internal.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;

import dev.levee.federated.privacy.PrivacyLoss;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The contents of {@code run.json}: where the jobs of an invocation run, for commands from another
 * terminal.
 *
 * @param arguments the arguments that the user typed
 * @param started when, ISO 8601 in UTC
 * @param cluster REST address of the cluster
 * @param embedded true if that cluster ends with the process that submitted
 * @param rounds length of each run; of an estimate of effects, its repetitions; 0 of a study
 * @param fits of an estimate of effects; null of anything else
 * @param cells that the job of a study was to run; null of anything else
 * @param checkpoints URI of the directory of all checkpoints
 * @param ownCheckpoints true if they lie in the output folder and go when the run is over
 * @param survives true if the run continues where it was even without a checkpoint
 * @param tracking the trackers of the runs
 * @param queue folder of the queue in which its job stands under the id given here; null if it was
 *     submitted to the cluster at once
 * @param sources SHA-256 of the Python files of model and data, by path; of runs recorded before
 *     that note none
 * @param parameters floats of the model's vector; null of anything else, and of runs recorded
 *     before
 * @param jobs one per rule, in order
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunRecord(
        List<String> arguments,
        String started,
        String cluster,
        boolean embedded,
        long rounds,
        Integer fits,
        Integer cells,
        String checkpoints,
        boolean ownCheckpoints,
        boolean survives,
        Tracking tracking,
        String queue,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> sources,
        Integer parameters,
        List<Job> jobs) {
    /**
     * The job of one rule, of an estimate, or of a study.
     *
     * @param rule its name
     * @param id the id of the job, null if it was not submitted
     * @param privacy the bound on what the run reveals of a device, null if there is none
     * @param guessingLoss training loss of a model that guesses, null if unknown
     */
    public record Job(
            String rule,
            String id,
            @JsonInclude(JsonInclude.Include.NON_NULL) PrivacyLoss privacy,
            @JsonInclude(JsonInclude.Include.NON_NULL) Double guessingLoss) {}

    public RunRecord {
        arguments = List.copyOf(arguments);
        sources = sources == null ? Map.of() : new TreeMap<>(sources);
        jobs = List.copyOf(jobs);
    }

    /** The layout of results if the folder of this record is at {@code root}, an absolute URI. */
    public OutputLayout layout(String root) {
        return OutputLayout.of(root, jobs.stream().map(Job::rule).toList());
    }

    /** True of an estimate of effects. */
    @JsonIgnore
    public boolean estimates() {
        return fits != null;
    }

    /** True of a study. */
    @JsonIgnore
    public boolean studies() {
        return cells != null;
    }

    /** Indexes of the runs that have a job. */
    @JsonIgnore
    public List<Integer> submitted() {
        return IntStream.range(0, jobs.size())
                .filter(i -> jobs.get(i).id() != null)
                .boxed()
                .toList();
    }

    /** The same, but others have been told the end. */
    public RunRecord tracked() {
        return new RunRecord(
                arguments,
                started,
                cluster,
                embedded,
                rounds,
                fits,
                cells,
                checkpoints,
                ownCheckpoints,
                survives,
                tracking.completed(),
                queue,
                sources,
                parameters,
                jobs);
    }
}
