package dev.levee.benchmarks.siege;

import java.io.IOException;

/** Stops and continues processes, for which Java has no API. */
final class Signals {
    private Signals() {}

    /** Stops a process. */
    static void stop(long pid) throws IOException, InterruptedException {
        send("-STOP", pid);
    }

    /** Lets it continue. */
    static void go(long pid) throws IOException, InterruptedException {
        send("-CONT", pid);
    }

    private static void send(String signal, long pid) throws IOException, InterruptedException {
        // The process may have ended meanwhile, so the exit status does not matter.
        new ProcessBuilder("kill", signal, String.valueOf(pid))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
