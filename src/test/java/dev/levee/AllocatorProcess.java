package dev.levee;

import dev.levee.jobs.cluster.LocalCluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A {@code levee allocate} as a process of its own, whose lines can be waited for. */
final class AllocatorProcess implements AutoCloseable {
    private final LeveeProcess process;

    private AllocatorProcess(LeveeProcess process) {
        this.process = process;
    }

    /**
     * Starts one that gives a job all the workers it may have and lets its batch grow, whether that
     * brings anything on this machine or not.
     */
    static AllocatorProcess greedy(LocalCluster cluster, Path directory) throws IOException {
        return start(cluster, directory, "--policy=era-curve", "--compute-threshold=1");
    }

    /**
     * Starts an allocator that measures and decides every few seconds.
     *
     * @param directory keeps its store and receives {@code allocator.log}, appended to by the next
     */
    static AllocatorProcess start(LocalCluster cluster, Path directory, String... more)
            throws IOException {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "allocate",
                                "--target=" + cluster.restUrl(),
                                "--store=" + store(directory),
                                "--measure-every=1s",
                                "--decide-every=2s"));
        arguments.addAll(List.of(more));
        return new AllocatorProcess(
                LeveeProcess.start(
                        directory.resolve("allocator.log"), arguments.toArray(String[]::new)));
    }

    /** Where an allocator of a directory remembers jobs. */
    static Path store(Path directory) {
        return directory.resolve("store.json");
    }

    /** Everything it has said. */
    List<String> lines() {
        return process.said().lines().toList();
    }

    /** Waits until part of a line matches. */
    void awaitLine(String regex) throws InterruptedException {
        Pattern pattern = Pattern.compile(regex);
        RunningJob.until(
                "a line with " + regex + " in " + lines(),
                () -> {
                    if (!process.alive() && lines().stream().noneMatch(pattern.asPredicate())) {
                        throw new AssertionError(
                                "the allocator ended with %d: %s".formatted(code(), lines()));
                    }
                    return lines().stream().anyMatch(pattern.asPredicate());
                });
    }

    private int code() {
        try {
            return process.exitCode();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Asks it to end, as Ctrl-C does, and waits; its exit code. */
    int interrupt() throws InterruptedException {
        return process.stop();
    }

    /** Ends it at once, as {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.kill();
    }

    @Override
    public void close() throws InterruptedException {
        process.close();
    }
}
