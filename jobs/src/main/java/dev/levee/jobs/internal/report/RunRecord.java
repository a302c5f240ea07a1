package dev.levee.jobs.internal.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;

import dev.levee.federated.privacy.PrivacyLoss;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The contents of {@code run.json}. It records where the jobs of an invocation run, for commands
 * from another terminal.
 *
 * @param arguments the arguments that the user typed
 * @param started start of the invocation, ISO 8601 in UTC
 * @param cluster REST address of the cluster
 * @param embedded true if the cluster ends with the process that submitted the jobs
 * @param rounds rounds of each run, or the repetitions of an estimate; 0 for a study
 * @param fits number of fits of an estimate; null for other invocations
 * @param cells the cells of a study; null for other invocations
 * @param checkpoints URI of the directory of all checkpoints
 * @param ownCheckpoints true if the checkpoints are in the output folder and are deleted when the
 *     run is over
 * @param survives true if the run continues after a failure even without a checkpoint
 * @param tracking the trackers of the runs
 * @param queue folder of the queue that holds the job under the id given here; null if the job was
 *     submitted to the cluster directly
 * @param sources SHA-256 of the Python files of model and data, by path; empty for older records
 * @param parameters length of the model's vector; null for other invocations and for older records
 * @param stages last layer of each stage of a pipeline; null for other invocations and for older
 *     records
 * @param jobs one job for each rule, in order
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
        List<Integer> stages,
        List<Job> jobs) {
    /**
     * The job of a rule, of an estimate, or of a study.
     *
     * @param rule name of the rule
     * @param id id of the job, null if it was not submitted
     * @param privacy bound on what the run reveals about a device, null if there is none
     * @param guessingLoss training loss of a model that guesses, null if unknown
     * @param earlier ids of the jobs that this one continues, newest first; empty for older records
     */
    public record Job(
            String rule,
            String id,
            @JsonInclude(JsonInclude.Include.NON_NULL) PrivacyLoss privacy,
            @JsonInclude(JsonInclude.Include.NON_NULL) Double guessingLoss,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> earlier) {
        public Job {
            earlier = earlier == null ? List.of() : List.copyOf(earlier);
        }

        /** A job that continues no other. */
        public Job(String rule, String id, PrivacyLoss privacy, Double guessingLoss) {
            this(rule, id, privacy, guessingLoss, List.of());
        }

        /** The ids of the job and of those that it continues. */
        public List<String> all() {
            return Stream.concat(Stream.ofNullable(id), earlier.stream()).toList();
        }
    }

    public RunRecord {
        arguments = List.copyOf(arguments);
        sources = sources == null ? Map.of() : new TreeMap<>(sources);
        jobs = List.copyOf(jobs);
    }

    /** The layout of results if this record's folder is at {@code root}, an absolute URI. */
    public OutputLayout layout(String root) {
        return OutputLayout.of(root, jobs.stream().map(Job::rule).toList());
    }

    /** True for an estimate of effects. */
    @JsonIgnore
    public boolean estimates() {
        return fits != null;
    }

    /** True for a study. */
    @JsonIgnore
    public boolean studies() {
        return cells != null;
    }

    /** True unless the runs continue from earlier jobs. */
    @JsonIgnore
    public boolean first() {
        return arguments.stream().noneMatch(each -> each.matches("--resume(=.*)?"));
    }

    /** The indexes of runs whose job was submitted. */
    @JsonIgnore
    public List<Integer> submitted() {
        return IntStream.range(0, jobs.size())
                .filter(i -> jobs.get(i).id() != null)
                .boxed()
                .toList();
    }

    /** Returns this record with the trackers marked as complete. */
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
                stages,
                jobs);
    }
}
