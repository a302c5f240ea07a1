package dev.levee.jobs.internal.run.follow;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/** Listens to one logger of this process, whatever logging is configured. */
abstract class LogListener extends AbstractAppender {
    LogListener(String name) {
        super(name, null, null, true, Property.EMPTY_ARRAY);
    }

    /** Begins to listen to a logger and those below it. */
    final void listenTo(String logger) {
        start();
        LoggerContext context = (LoggerContext) LogManager.getContext(false);
        Configuration configuration = context.getConfiguration();
        LoggerConfig config =
                LoggerConfig.newBuilder()
                        .withLoggerName(logger)
                        .withConfig(configuration)
                        .withAdditivity(true)
                        .build();
        config.addAppender(this, null, null);
        configuration.addLogger(logger, config);
        context.updateLoggers();
    }
}
