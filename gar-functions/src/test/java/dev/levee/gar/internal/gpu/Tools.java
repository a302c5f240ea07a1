package dev.levee.gar.internal.gpu;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** Compilers that may or may not be installed. */
final class Tools {
    private Tools() {}

    /** What a program said, and its exit status. */
    record Result(int status, String output) {}

    static boolean has(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Pattern.compile(File.pathSeparator)
                .splitAsStream(path)
                .anyMatch(folder -> new File(folder, program).canExecute());
    }

    static Result run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        byte[] output = process.getInputStream().readAllBytes();
        return new Result(process.waitFor(), new String(output, StandardCharsets.UTF_8));
    }
}
