package dev.levee.jobs.internal.run.follow;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.ConfigurationSource;
import org.apache.logging.log4j.core.config.xml.XmlConfiguration;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;

class PrintedLogTest {
    /** Participants end, and say how, while hooks of the JVM run in any order. */
    @Test
    void theLogDoesNotStopAtCtrlC() throws IOException {
        try (InputStream file = PrintedLog.class.getResourceAsStream("/levee-log4j2.xml")) {
            XmlConfiguration log =
                    new XmlConfiguration(new LoggerContext("any"), new ConfigurationSource(file));
            assertThat(log.isShutdownHookEnabled()).isFalse();
        }
    }
}
