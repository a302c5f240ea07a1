package dev.levee.benchmarks.siege;

import java.io.IOException;

/** Stops and continues processes by signals, for which Java has no API. */
final class Signals {
    private Signals() {}

    /** Stops a process with SIGSTOP. */
    static void stop(long pid) throws IOException, InterruptedException {
        send("-STOP", pid);
    }

    /** Continues a stopped process. */
    static void go(long pid) throws IOException, InterruptedException {
        send("-CONT", pid);
    }

    private static void send(String signal, long pid) throws IOException, InterruptedException {
        // The process may have ended in the meantime, so the exit status does not matter.
        new ProcessBuilder("kill", signal, String.valueOf(pid))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
