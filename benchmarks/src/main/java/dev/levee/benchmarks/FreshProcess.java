package dev.levee.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A part of a benchmark in a Java process of its own, in which nothing has run before. */
public final class FreshProcess {
    private FreshProcess() {}

    /**
     * Runs a class with the options of this process and returns the last line that it prints.
     *
     * @param main has a main method, which gets the arguments as text
     * @throws IOException if it fails; its errors are shown
     */
    public static String lastLine(Class<?> main, Object... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        Arrays.stream(arguments).map(String::valueOf).forEach(command::add);
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("failed: " + String.join(" ", command));
        }
        return out.lines().reduce("", (before, line) -> line);
    }
}
