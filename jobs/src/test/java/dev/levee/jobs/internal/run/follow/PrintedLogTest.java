package dev.levee.jobs.internal.run.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.learners.Learner;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.Test;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

import java.io.PrintWriter;
import java.io.StringWriter;

class PrintedLogTest {
    @Test
    void showsWhatParticipantsSay() {
        StringWriter said = new StringWriter();
        CommandLine line = new CommandLine(CommandSpec.create());
        line.setErr(new PrintWriter(said, true)).setOut(new PrintWriter(said, true));
        PrintedLog.open(new Terminal(line));
        LogManager.getLogger(Learner.PRINTED)
                .error("python 4711 took at most 1 MiB");
        assertThat(said).hasToString("python 4711 took at most 1 MiB\n");
    }

    /** Participants end, and say how, while hooks of the JVM run in any order. */
    @Test
    void theLogDoesNotStopAtCtrlC() {
        try (LoggerContext context =
                Configurator.initialize("any", "classpath:levee-log4j2.xml")) {
            assertThat(context.getConfiguration().isShutdownHookEnabled()).isFalse();
        }
    }
}
