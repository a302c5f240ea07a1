package dev.levee.jobs.internal.run.follow;

import dev.levee.jobs.internal.report.OutputLayout;

import org.apache.logging.log4j.core.config.Configurator;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Sets up the log file of this process. */
public final class Logs {
    private static final String NAME = "levee.log";

    private Logs() {}

    /**
     * Writes all further log messages to a file in a run's folder. If the folder is not local, the
     * file goes to a temporary folder, and the user is told where.
     *
     * @param root the run's folder, an absolute URI
     */
    public static void in(String root, Terminal terminal) throws IOException, URISyntaxException {
        if (root.startsWith("file:")) {
            to(Files.createDirectories(Path.of(OutputLayout.uri(root))).resolve(NAME));
        } else {
            Path file = Files.createTempDirectory("levee-log-").resolve(NAME);
            to(file);
            terminal.say("Log: " + file);
        }
    }

    private static void to(Path file) throws URISyntaxException {
        System.setProperty("levee.log", file.toString());
        URI configuration = Logs.class.getResource("/levee-log4j2.xml").toURI();
        Configurator.reconfigure(configuration);
        CheckpointLog.open();
        OutOfMemoryLog.open();
    }
}
