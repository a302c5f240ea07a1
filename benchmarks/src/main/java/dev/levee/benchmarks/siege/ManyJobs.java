package dev.levee.benchmarks.siege;

import dev.levee.benchmarks.Machine;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Runs many trainings one after another on a session cluster, and checks the memory of its
 * processes and the bits of each result. Exit status 0 if all bits are the same and memory stays
 * within bounds, 1 if not, 2 for wrong usage.
 */
@Command(name = "ManyJobs")
public final class ManyJobs implements Callable<Integer> {
    @Option(names = "--jobs")
    private int jobs = 100;

    @Option(names = "--rounds")
    private int rounds = 200;

    /** Runs the program. */
    public static void main(String[] args) {
        CommandLine line = new CommandLine(new ManyJobs());
        line.setParameterExceptionHandler(
                (wrong, arguments) -> {
                    System.err.println(wrong.getMessage());
                    return 2;
                });
        System.exit(line.execute(args));
    }

    @Override
    public Integer call() throws Exception {
        if (jobs < 1 || rounds < 1) {
            throw new ParameterException(
                    new CommandLine(this), "--jobs and --rounds must be at least 1");
        }
        Machine.print();
        Path directory = Files.createTempDirectory("levee-jobs-");
        List<String> broken = new JobAfterJob(jobs, rounds, System.out).hold(directory);
        if (broken.isEmpty()) {
            SiegeRun.forget(directory);
            return 0;
        }
        System.out.println("Files and logs: " + directory);
        return 1;
    }
}
