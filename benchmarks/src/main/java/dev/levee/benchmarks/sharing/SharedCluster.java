package dev.levee.benchmarks.sharing;

import dev.levee.benchmarks.Machine;
import dev.levee.jobs.internal.config.setting.Durations;
import dev.levee.k8s.allocator.policy.Policies;
import dev.levee.k8s.simulator.Outcome;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/**
 * Runs the same real training jobs of different sizes under several policies. They arrive on a real
 * cluster of four TaskManagers with one slot each. Prints their completion times, restarts and
 * accuracy, and the simulator's prediction from the measured times of rounds. All processes share
 * this machine's processors, so a slot only has a processor of its own on a machine with at least
 * five. With fewer, a growing job slows the others down, which no policy takes into account.
 */
@Command(name = "SharedCluster")
public final class SharedCluster implements Callable<Integer> {
    private static final int LONGEST_MINUTES = 24 * 60;
    private static final int MOST_JOBS = 100;

    @Option(names = "--minutes")
    private double minutes = 20;

    @Option(names = "--jobs")
    private int jobs = 10;

    @Option(names = "--seed")
    private long seed = 1;

    @Option(names = "--policies", split = ",")
    private List<String> policies = List.of("static", "afs-p", "era-goodput");

    @Option(names = "--decide-every")
    private String every = "20s";

    @Option(
            names = "--from",
            description = "folder of an earlier run with the same options, to simulate it again")
    private Path before;

    /** Runs the benchmark. */
    public static void main(String[] args) {
        CommandLine line = new CommandLine(new SharedCluster());
        line.setParameterExceptionHandler(
                (wrong, arguments) -> {
                    System.err.println(wrong.getMessage());
                    return 2;
                });
        System.exit(line.execute(args));
    }

    @Override
    public Integer call() throws Exception {
        require(
                minutes > 0 && minutes <= LONGEST_MINUTES,
                "--minutes must be above 0 and at most " + LONGEST_MINUTES + ", got " + minutes);
        require(
                jobs > 0 && jobs <= MOST_JOBS,
                "--jobs must be from 1 to " + MOST_JOBS + ", got " + jobs);
        for (String policy : policies) {
            require(
                    Policies.names().contains(policy),
                    "--policies must be some of %s, got %s"
                            .formatted(String.join(", ", Policies.names()), policy));
        }
        Machine.print();
        List<Arrival> arrivals =
                Arrival.draw(jobs, Duration.ofMillis(Math.round(60_000 * minutes)), seed);
        arrivals.forEach(
                each ->
                        System.out.printf(
                                Locale.ROOT,
                                "%s after %.1f s: %s, %d rounds, %d workers%n",
                                each.name(),
                                each.after().toMillis() / 1e3,
                                each.model(),
                                each.rounds(),
                                each.workers()));
        double seconds = Durations.positive("--decide-every", every).toMillis() / 1e3;
        Path directory = before == null ? Files.createTempDirectory("levee-shared-") : before;
        System.out.println("Runs and logs are in " + directory);
        System.out.println(
                "policy        average JCT s  predicted s  makespan s  predicted s  pause s  restarts  accuracy");
        for (String policy : policies) {
            Path folder = directory.resolve(policy);
            PolicyResult shared =
                    before == null
                            ? new Sharing(folder, policy, every).run(arrivals)
                            : PolicyResult.read(policy, folder, arrivals);
            Outcome predicted = Prediction.of(arrivals, shared, Sharing.SLOTS, seconds);
            System.out.printf(
                    Locale.ROOT,
                    "%-12s  %13.1f  %11.1f  %10.1f  %11.1f  %7.1f  %8d  %8.4f%n",
                    policy,
                    shared.averageJct(),
                    predicted.averageJctSeconds(),
                    shared.makespan(),
                    predicted.makespanSeconds(),
                    shared.pause(),
                    shared.restarts(),
                    shared.accuracy());
        }
        return 0;
    }

    private void require(boolean holds, String message) {
        if (!holds) {
            throw new ParameterException(new CommandLine(this), message);
        }
    }
}
