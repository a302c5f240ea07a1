package dev.levee.jobs.internal.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Reads the state of the git repository that contains a directory. */
public final class GitState {
    private static final long PATIENCE_SECONDS = 5;

    private GitState() {}

    /**
     * The first digits of the commit, and whether tracked files differ from it. Empty outside a
     * repository, or if git is missing.
     */
    public static Optional<String> of(Path directory) {
        return git(directory, "rev-parse", "--short=12", "HEAD")
                .map(
                        commit ->
                                git(directory, "status", "--porcelain", "--untracked-files=no")
                                        .filter(changes -> !changes.isEmpty())
                                        .map(changes -> commit + " with changes")
                                        .orElse(commit));
    }

    /** The output of git, empty if it fails. */
    private static Optional<String> git(Path directory, String... arguments) {
        List<String> command = new ArrayList<>(List.of("git", "-C", directory.toString()));
        command.addAll(List.of(arguments));
        try {
            Process git =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            String answer =
                    new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            boolean ended = git.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return ended && git.exitValue() == 0 ? Optional.of(answer) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
