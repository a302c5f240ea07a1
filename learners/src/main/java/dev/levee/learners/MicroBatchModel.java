package dev.levee.learners;

/**
 * A model whose learners compute the gradient of a batch in passes of at most so many samples, one
 * after the other, and keep their mean (gradient accumulation): memory for activations is that of a
 * pass, however large the batch. The sum is in another order than in one pass, so the gradient
 * differs in its last digits; buffers become the mean of what each pass makes of them, and a
 * network that normalizes by batch does so by pass.
 *
 * @param model the model itself
 * @param most samples of a pass, at least 1
 */
public record MicroBatchModel(Model model, int most) implements WrappedModel {

    /**
     * Checks that passes have samples.
     *
     * @throws IllegalArgumentException if they have none; one sentence
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
