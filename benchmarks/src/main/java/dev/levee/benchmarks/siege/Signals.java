package dev.levee.benchmarks.siege;

import java.io.IOException;

/** What stops a process for a while and lets it go on, which Java has no call for. */
final class Signals {
    private Signals() {}

    /** Stops a process. */
    static void stop(long pid) throws IOException, InterruptedException {
        send("-STOP", pid);
    }

    /** Lets it go on. */
    static void go(long pid) throws IOException, InterruptedException {
        send("-CONT", pid);
    }

    private static void send(String signal, long pid) throws IOException, InterruptedException {
        // A process that has ended meanwhile is nobody to signal, so the exit status does not
        // matter.
        new ProcessBuilder("kill", signal, String.valueOf(pid))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
