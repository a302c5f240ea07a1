package dev.levee.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.levee.jobs.internal.cluster.LeveeHome;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Processes that have the package in {@code python/}. {@code LEVEE_PYTHON} names another
 * interpreter than {@code python3}.
 */
public final class PythonPackage {
    private static final Path PACKAGE = LeveeHome.find().directory().resolve("python");

    private PythonPackage() {}

    /** The interpreter with these arguments; what it says goes to the end of a file. */
    static ProcessBuilder command(Path output, String... arguments) {
        return commandOf(
                System.getenv().getOrDefault("LEVEE_PYTHON", "python3"), output, arguments);
    }

    /** The same with an interpreter of one's own choice. */
    static ProcessBuilder commandOf(String interpreter, Path output, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(interpreter);
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(PACKAGE.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        builder.environment().put("PYTHONPATH", PACKAGE.resolve("src").toString());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        return builder;
    }

    /** Waits for the end of a process, or kills it after ten minutes; its exit status. */
    static int end(Process process) throws InterruptedException {
        try {
            process.waitFor(10, TimeUnit.MINUTES);
        } finally {
            process.destroyForcibly();
        }
        return process.waitFor();
    }

    /**
     * The first interpreter that has some modules, of {@code LEVEE_PYTHON}, the path's and the
     * system's; skips the test where none has.
     */
    public static String requireInterpreter(String modules, Path output) throws Exception {
        Optional<String> found = Optional.empty();
        for (String each :
                new String[] {System.getenv("LEVEE_PYTHON"), "python3", "/usr/bin/python3"}) {
            if (found.isEmpty() && each != null && has(each, modules, output)) {
                found = Optional.of(each);
            }
        }
        assumeThat(found).as("a python3 with " + modules).isPresent();
        return found.get();
    }

    /** The interpreter of a new virtual environment that has the modules of another one. */
    static String environmentOf(String interpreter, Path folder) throws Exception {
        Path output = folder.resolveSibling("venv.out");
        String[] make = {"-m", "venv", "--system-site-packages", "--without-pip", folder + ""};
        assertThat(end(commandOf(interpreter, output, make).start()))
                .as(Files.readString(output))
                .isZero();
        return folder.resolve("bin/python").toString();
    }

    /** Finds modules without loading them, which takes seconds. */
    private static boolean has(String interpreter, String modules, Path output)
            throws InterruptedException {
        String program =
                """
                from importlib.util import find_spec
                missing = [each for each in "%s".split(", ") if not find_spec(each)]
                raise SystemExit(1 if missing else 0)
                """
                        .formatted(modules);
        try {
            return end(commandOf(interpreter, output, "-c", program).start()) == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Skips the test where the interpreter does not have these modules. */
    static void assumeModules(String modules, Path output) throws Exception {
        String interpreter = System.getenv().getOrDefault("LEVEE_PYTHON", "python3");
        boolean there = has(interpreter, modules, output);
        assumeThat(there).as("a python3 with " + modules).isTrue();
    }
}
