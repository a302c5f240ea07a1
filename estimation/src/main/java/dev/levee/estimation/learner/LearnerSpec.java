package dev.levee.estimation.learner;

import java.io.Serializable;

/**
 * A learner as a user wrote it. It contains everything that is needed to create the learner on
 * another machine.
 *
 * @param text {@code forest(trees=500)} or {@code python:FILE}
 * @param script the text of the Python file; null for other learners
 */
public record LearnerSpec(String text, String script) implements Serializable {
    /**
     * Checks the text.
     *
     * @throws IllegalArgumentException if it names no learner; one sentence
     */
    public LearnerSpec {
        if (script == null) {
            Learners.of(text);
        } else {
            PythonEstimatorSettings.parse(text);
        }
    }

    /**
     * The learner of a text. If it is {@code python:FILE}, this reads the file.
     *
     * @throws IllegalArgumentException if it names no learner; one sentence
     */
    public static LearnerSpec of(String text) {
        if (!PythonEstimatorSettings.matches(text)) {
            return new LearnerSpec(text, null);
        }
        PythonEstimatorSettings settings = PythonEstimatorSettings.parse(text);
        return new LearnerSpec(settings.text(), settings.script());
    }

    /** The version of the results. Python files have version 1, because their text is compared. */
    public int version() {
        return script == null ? Learners.version(text) : 1;
    }

    /**
     * Creates the learner.
     *
     * @param name the nuisance function to learn, such as {@code ml_l}; it is passed to the
     *     function {@code learner(name)} of a Python file
     */
    public Learner create(String name) {
        return script == null
                ? Learners.of(text)
                : new PythonEstimator(PythonEstimatorSettings.parse(text), script, name);
    }
}
