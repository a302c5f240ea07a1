package dev.levee.jobs.internal.config.setting;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * One option, defined where its value is kept: a component of a configuration record. The command
 * line, the YAML file, the help text and the printed configuration all follow from it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
    /** Heading of the help section it appears under; empty for that of the component before. */
    String group() default "";

    /** The placeholder of the value in the help text. */
    String label();

    /** Value of an option that is given without one; empty if it needs one. */
    String bare() default "";

    /** Default value as a user would write it; empty if none, or if it follows from others. */
    String fallback() default "";

    /** The source of a default that is not constant, for the help text. */
    String derived() default "";

    /** Interval of permitted numbers such as {@code [1, 128]} or {@code [0, 1)}. */
    String range() default "";

    /** True if a federated job tells devices that are separate processes its value. */
    boolean told() default false;

    /** One or two sentences for the help text. */
    String help();
}
