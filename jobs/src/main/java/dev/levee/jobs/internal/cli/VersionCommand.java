package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.report.summary.Provenance;

import org.apache.flink.runtime.util.EnvironmentInformation;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

import java.util.concurrent.Callable;

/** Prints the versions of Levee, Flink and Java. */
@Command(name = "version", description = "Print the versions of Levee, Flink and Java.")
final class VersionCommand extends CliCommand implements Callable<Integer>, IVersionProvider {
    @Override
    public Integer call() {
        for (String line : getVersion()) {
            out().println(line);
        }
        return 0;
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "Levee " + Provenance.version(),
            "Flink " + EnvironmentInformation.getVersion(),
            "Java %s (%s)"
                    .formatted(
                            System.getProperty("java.version"), System.getProperty("java.vendor"))
        };
    }
}
