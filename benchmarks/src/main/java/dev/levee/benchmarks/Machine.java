package dev.levee.benchmarks;

import java.time.LocalDate;

/** Describes the machine; every result starts with this description. */
public final class Machine {
    private Machine() {}

    public static void print() {
        System.out.printf(
                "%s, %d cores, Java %s on %s %s%n",
                LocalDate.now(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.version"),
                System.getProperty("os.name"),
                System.getProperty("os.arch"));
    }
}
