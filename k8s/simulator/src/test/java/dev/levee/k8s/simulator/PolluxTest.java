package dev.levee.k8s.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.levee.k8s.allocator.policy.Policies;
import dev.levee.k8s.simulator.PolluxWorkload.StartBatch;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The simulator against the published one. Skipped unless the environment variable {@code
 * LEVEE_DATA} names a folder that holds {@code pollux/}.
 */
class PolluxTest {
    private static final double PUBLISHED_TIRESIAS_SECONDS = 4038;
    private static final double[] PUBLISHED_POLLUX_SECONDS = {
        2089, 3323, 2188, 2721, 2674, 2446, 3616, 2952
    };

    private static Path pollux() {
        String data = System.getProperty("levee.data", System.getenv("LEVEE_DATA"));
        assumeTrue(data != null, "needs real data: neither levee.data nor LEVEE_DATA is set");
        Path pollux = Path.of(data, "pollux");
        assumeTrue(pollux.toFile().isDirectory(), "needs real data: " + pollux + " is absent");
        return pollux;
    }

    private static Outcome run(Path pollux, String policy, int workload) throws IOException {
        Workload load =
                PolluxWorkload.read(
                        pollux.resolve("workloads/workload-" + workload + ".csv"),
                        pollux.resolve("traces"),
                        SubmissionSchedule.named("csv", 1, 1),
                        StartBatch.REQUESTED);
        return Simulation.run(
                load,
                Policies.named(policy, 60),
                new ClusterSize(16, 4),
                new Timing(60, 60, 30),
                point -> {});
    }

    @Test
    void tiresiasIsWithinFivePercentOfThePublishedFigure() throws IOException {
        Path pollux = pollux();
        double sum = 0;
        for (int workload = 1; workload <= 8; workload++) {
            sum += run(pollux, "tiresias", workload).averageJctSeconds();
        }
        assertThat(sum / 8)
                .isBetween(0.95 * PUBLISHED_TIRESIAS_SECONDS, 1.05 * PUBLISHED_TIRESIAS_SECONDS);
    }

    @Test
    void goodputIsAheadOfPolluxOnEachWorkload() throws IOException {
        Path pollux = pollux();
        for (int workload = 1; workload <= 8; workload++) {
            double published = PUBLISHED_POLLUX_SECONDS[workload - 1];
            for (String policy : List.of("era-goodput", "era-goodput-unknown")) {
                assertThat(run(pollux, policy, workload).averageJctSeconds())
                        .as("%s on workload %d", policy, workload)
                        .isLessThan(published);
            }
        }
    }

    @Test
    void allJobsOfADayEnd() throws IOException {
        Path pollux = pollux();
        Outcome outcome = run(pollux, "era", 1);
        assertThat(outcome.jobs()).hasSize(160);
    }

    @Test
    void saysWhatIsMissing() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                PolluxWorkload.read(
                                        Path.of("nowhere.csv"),
                                        Path.of("traces"),
                                        SubmissionSchedule.named("csv", 1, 1),
                                        StartBatch.REQUESTED))
                .withMessage("nowhere.csv does not exist");
    }
}
