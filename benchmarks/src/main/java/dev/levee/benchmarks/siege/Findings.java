package dev.levee.benchmarks.siege;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints progress messages, and collects violations. */
final class Findings {
    private final PrintStream out;
    private final long start = System.nanoTime();
    private final List<String> broken = new ArrayList<>();

    Findings(PrintStream out) {
        this.out = out;
    }

    /** Prints a message. */
    synchronized void say(String what) {
        long tenths = Duration.ofNanos(System.nanoTime() - start).toMillis() / 100;
        out.printf(Locale.ROOT, "%2d:%04.1f  %s%n", tenths / 600, tenths % 600 / 10.0, what);
    }

    /** Prints and collects a violation. */
    synchronized void broken(String what) {
        broken.add(what);
        say("BROKEN: " + what);
    }

    /** All violations, in order. */
    synchronized List<String> broken() {
        return List.copyOf(broken);
    }
}
