package dev.levee.jobs;

import dev.levee.jobs.internal.cli.LeveeCommand;
import dev.levee.jobs.internal.run.Submission;

/**
 * Entry point of the job jar, for {@code flink run -c dev.levee.jobs.FederateJob levee-jobs.jar}
 * with the options of {@code levee federate}.
 */
public final class FederateJob {
    private FederateJob() {}

    /**
     * Submits the training to the cluster of the caller, and waits for its end unless detached.
     *
     * @throws IllegalArgumentException if an option is wrong; one sentence
     */
    public static void main(String[] arguments) throws Exception {
        Submission.toCaller(LeveeCommand.plan("federate", arguments));
    }
}
