package dev.levee.benchmarks.siege;

import dev.levee.benchmarks.Machine;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Runs trainings and served runs on a real cluster under a random schedule of faults, which a seed
 * determines. Exit status 0 if all invariants held, 1 if one was violated, 2 for wrong usage.
 */
@Command(name = "Siege")
public final class Siege implements Callable<Integer> {
    private static final int LONGEST_MINUTES = 24 * 60;

    @Option(names = "--minutes")
    private double minutes = 2;

    @Option(names = "--seed")
    private long seed = 1;

    @Option(names = "--dry-run")
    private boolean dryRun;

    /** Runs the program. */
    public static void main(String[] args) {
        CommandLine line = new CommandLine(new Siege());
        line.setParameterExceptionHandler(
                (wrong, arguments) -> {
                    System.err.println(wrong.getMessage());
                    return 2;
                });
        System.exit(line.execute(args));
    }

    @Override
    public Integer call() throws Exception {
        if (!(minutes > 0 && minutes <= LONGEST_MINUTES)) {
            throw new ParameterException(
                    new CommandLine(this),
                    "--minutes must be above 0 and at most %s, got %s"
                            .formatted(LONGEST_MINUTES, minutes));
        }
        FaultSchedule schedule =
                FaultSchedule.of(seed, Duration.ofMillis(Math.round(minutes * 60_000)));
        System.out.printf("Seed %d, %d steps%n", seed, schedule.steps().size());
        schedule.steps().forEach(System.out::println);
        if (dryRun) {
            return 0;
        }
        Machine.print();
        Path directory = Files.createTempDirectory("levee-siege-");
        List<String> broken = new SiegeRun(schedule, System.out).hold(directory);
        if (broken.isEmpty()) {
            SiegeRun.forget(directory);
            return 0;
        }
        System.out.println("Files and logs: " + directory);
        return 1;
    }
}
