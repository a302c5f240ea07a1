package dev.levee.jobs;

import dev.levee.jobs.internal.cli.LeveeCommand;
import dev.levee.jobs.internal.run.Submission;

/**
 * Entry point of the job jar, for {@code flink run -c dev.levee.jobs.ServeJob levee-jobs.jar} with
 * the options of {@code levee serve}.
 */
public final class ServeJob {
    private ServeJob() {}

    /**
     * Submits the server to the cluster of the caller, and waits for its end unless detached.
     *
     * @throws IllegalArgumentException if an option is wrong; one sentence
     * @throws IllegalStateException if no broker answers; one sentence
     */
    public static void main(String[] arguments) throws Exception {
        Submission.toCaller(LeveeCommand.plan("serve", arguments));
    }
}
