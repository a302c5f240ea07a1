package dev.levee.learners;

/**
 * Creates a model from its name. To add a model, implement this with a public constructor without
 * parameters and register it with {@link java.util.ServiceLoader}; {@link Models#open} then finds
 * it.
 */
public interface ModelFactory {
    /** The name in lower case with hyphens. Names of Levee's own models are refused. */
    String name();

    /** The form of the model's names, for messages: {@code name} or {@code name:PATH}. */
    default String form() {
        return name();
    }

    /**
     * Creates the model.
     *
     * @param argument the text after the name and a colon; may be empty
     * @param shape shape of one sample
     * @param classes number of classes, at least 2
     * @throws IllegalArgumentException if the argument is invalid or the model does not take
     *     samples of this shape; one sentence
     */
    Model create(String argument, int[] shape, int classes);

    /**
     * Creates the model for a task. By default, a factory supports only softmax cross-entropy over
     * classes.
     *
     * @throws IllegalArgumentException as above, or if the model cannot learn this task; one
     *     sentence
     */
    default Model create(String argument, int[] shape, Task task) {
        if (!task.loss().equals(Loss.DEFAULT)) {
            throw new IllegalArgumentException(
                    "the model %s has its own loss and takes no other, got %s"
                            .formatted(name(), task.loss().name()));
        }
        return create(argument, shape, task.classes());
    }

    /** A factory of models for any task. */
    interface OfTasks extends ModelFactory {
        @Override
        default Model create(String argument, int[] shape, int classes) {
            return create(argument, shape, Task.classification(classes));
        }

        @Override
        Model create(String argument, int[] shape, Task task);
    }
}
