package dev.levee.jobs.internal.cli;

import org.apache.flink.runtime.util.EnvironmentInformation;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import java.util.concurrent.Callable;

/** Prints the versions that matter. */
@Command(name = "version", description = "Print the versions of Levee, Flink and Java.")
final class VersionCommand implements Callable<Integer>, IVersionProvider {
    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        for (String line : getVersion()) {
            spec.commandLine().getOut().println(line);
        }
        spec.commandLine().getOut().flush();
        return 0;
    }

    @Override
    public String[] getVersion() throws IOException {
        Properties build = new Properties();
        try (InputStream in = VersionCommand.class.getResourceAsStream("/levee.properties")) {
            build.load(in);
        }
        return new String[] {
            "Levee " + build.getProperty("version"),
            "Flink " + EnvironmentInformation.getVersion(),
            "Java "
                    + System.getProperty("java.version")
                    + " ("
                    + System.getProperty("java.vendor")
                    + ")"
        };
    }
}
