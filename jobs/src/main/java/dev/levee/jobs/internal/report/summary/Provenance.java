package dev.levee.jobs.internal.report.summary;

import org.apache.flink.runtime.util.EnvironmentInformation;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Properties;

/**
 * When, where and with what a run was computed. Nothing here changes a result: runs with equal
 * settings differ in it.
 *
 * @param started time of submission, ISO 8601 in UTC
 * @param finished time at which results were written; null before
 * @param levee version of Levee that submitted the run
 * @param flink version of Flink in the process that wrote the results; null before, as are the next
 *     two
 * @param java version of Java in that process
 * @param machine operating system, architecture, processors and memory of that process
 * @param git commit of the working directory at submission, null outside a repository
 */
public record Provenance(
        String started,
        String finished,
        String levee,
        String flink,
        String java,
        String machine,
        String git)
        implements Serializable {
    private static final double GIBIBYTE = 1L << 30;

    /** Creates the provenance of a run that this process submits now. */
    public static Provenance submitted(Clock clock, String git) {
        return new Provenance(now(clock), null, version(), null, null, null, git);
    }

    /** Completes the provenance of a run whose results this process writes now. */
    public Provenance finishedNow(Clock clock) {
        return new Provenance(
                started,
                now(clock),
                levee,
                EnvironmentInformation.getVersion(),
                System.getProperty("java.version"),
                thisMachine(),
                git);
    }

    /** Describes the provenance of a finished run in words. */
    public String sentence() {
        return "Started %s, finished %s, with Levee %s, Flink %s and Java %s on %s%s."
                .formatted(
                        started,
                        finished,
                        levee,
                        flink,
                        java,
                        machine,
                        git == null ? "" : "; git " + git);
    }

    private static String now(Clock clock) {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String thisMachine() {
        String machine =
                "%s %s, %d processors"
                        .formatted(
                                System.getProperty("os.name"),
                                System.getProperty("os.arch"),
                                Runtime.getRuntime().availableProcessors());
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof com.sun.management.OperatingSystemMXBean system
                ? machine
                        + String.format(
                                Locale.ROOT, ", %.0f GiB", system.getTotalMemorySize() / GIBIBYTE)
                : machine;
    }

    /** The version of Levee in this process. */
    public static String version() {
        Properties build = new Properties();
        try (InputStream in = Provenance.class.getResourceAsStream("/levee.properties")) {
            build.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return build.getProperty("version");
    }
}
