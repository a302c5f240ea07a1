package dev.levee.jobs.internal.config.setting;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares one option on the component of a configuration record that holds its value. The command
 * line, the YAML file, the help text and the printed configuration all derive from it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
    /**
     * Heading of the option's section in the help text; empty for the section of the previous
     * component.
     */
    String group() default "";

    /** Placeholder of the value in the help text. */
    String label();

    /** Value of an option that is given without a value; empty if a value is required. */
    String bare() default "";

    /**
     * Default value as a user would write it; empty if there is none, or if it depends on others.
     */
    String fallback() default "";

    /** Description of a default that is not constant, for the help text. */
    String derived() default "";

    /** Interval of permitted numbers, such as {@code [1, 128]} or {@code [0, 1)}. */
    String range() default "";

    /** True if a federated job tells the value to devices that are separate processes. */
    boolean told() default false;

    /** One or two sentences for the help text. */
    String help();
}
