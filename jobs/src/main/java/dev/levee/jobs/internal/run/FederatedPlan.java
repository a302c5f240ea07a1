package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.federated.FederationConfig;
import dev.levee.jobs.internal.config.federated.FederationResolver;
import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.run.place.DevicesInJob;
import dev.levee.operators.flink.TrainingJob;
import dev.levee.operators.rounds.training.Training;

import java.time.Clock;
import java.util.List;

/** Creates the plan of a federated invocation. */
public final class FederatedPlan {
    private FederatedPlan() {}

    /**
     * Checks a configuration and opens its data.
     *
     * @param processors number of processors of this machine; an embedded cluster uses them all
     * @param clock clock for the name of a default output directory
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public static RunPlan of(
            FederationConfig config, Deployment deployment, int processors, Clock clock) {
        FederationResolver.check(config);
        deployment.check();
        Deployment placed = deployment.within(Math.min(processors, TrainingJob.MAX_PARALLELISM));
        List<Training> trainings = FederationResolver.trainings(config, placed.computeThreads(1));
        String output = OutputLayout.chosen(deployment.output(), clock, config.algorithm().word());
        OutputLayout layout = OutputLayout.of(output, config.devices().sampling());
        return new RunPlan(
                FederationResolver.run(config),
                placed,
                trainings,
                layout,
                new DevicesInJob(config),
                RunPlan.key(deployment, layout));
    }
}
