package dev.levee.jobs.internal.run.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.learners.Learner;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.impl.Log4jContextFactory;
import org.junit.jupiter.api.Test;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

import java.io.PrintWriter;
import java.io.StringWriter;

class PrintedLogTest {
    /** Log4j's own hook runs while participants end. */
    @Test
    void showsWhatParticipantsSayAfterCtrlC() {
        StringWriter said = new StringWriter();
        CommandLine line = new CommandLine(CommandSpec.create());
        line.setErr(new PrintWriter(said, true)).setOut(new PrintWriter(said, true));
        PrintedLog.open(new Terminal(line));
        Log4jContextFactory factory = (Log4jContextFactory) LogManager.getFactory();
        ((Runnable) factory.getShutdownCallbackRegistry()).run();
        LogManager.getLogger(Learner.PRINTED).error("python 4711 took at most 1 MiB");
        assertThat(said).hasToString("python 4711 took at most 1 MiB\n");
    }
}
