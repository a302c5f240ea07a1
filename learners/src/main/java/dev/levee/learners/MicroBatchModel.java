package dev.levee.learners;

/**
 * A model whose learners compute the gradient of a batch in several passes, each over at most
 * {@code most} samples, and return the mean (gradient accumulation). Activations take the memory of
 * one pass, however large the batch is. The order of additions differs from that of a single pass,
 * so the gradient differs in its last digits. New buffers are the mean of the passes' new buffers.
 * Batch normalization normalizes each pass separately.
 *
 * @param model the model itself
 * @param most maximum number of samples of a pass, at least 1
 */
public record MicroBatchModel(Model model, int most) implements WrappedModel {

    /**
     * Checks the number of samples.
     *
     * @throws IllegalArgumentException if it is below 1; one sentence
     */
    public MicroBatchModel {
        if (most < 1) {
            throw new IllegalArgumentException(
                    "a pass needs at least 1 sample, got %d".formatted(most));
        }
    }

    @Override
    public Learner newLearner() {
        return new AccumulatingLearner(model.newLearner(), size -> (size - 1) / most + 1);
    }
}
