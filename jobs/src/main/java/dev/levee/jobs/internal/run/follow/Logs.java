package dev.levee.jobs.internal.run.follow;

import org.apache.logging.log4j.core.config.Configurator;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;

/** Where this process logs to. */
public final class Logs {
    private Logs() {}

    /** Sends everything logged from now on to a file. */
    public static void to(Path file) throws URISyntaxException {
        System.setProperty("levee.log", file.toString());
        URI configuration = Logs.class.getResource("/levee-log4j2.xml").toURI();
        Configurator.reconfigure(configuration);
        CheckpointLog.open();
        OutOfMemoryLog.open();
    }
}
