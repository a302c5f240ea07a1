package dev.levee.learners.internal.network;

/** The loss of a discriminator's outputs, as a mean over a batch. */
public enum AdversarialLoss {
    /** (answer − target)² (Mao et al., "Least Squares Generative Adversarial Networks", 2017). */
    SQUARES("squares") {
        @Override
        double of(double answer, double target) {
            return (answer - target) * (answer - target);
        }

        @Override
        double slope(double answer, double target) {
            return 2 * (answer - target);
        }
    },
    /** Binary cross-entropy of a logit (Goodfellow et al. 2014, with the non-saturating loss). */
    CROSS_ENTROPY("cross-entropy") {
        @Override
        double of(double answer, double target) {
            double wrong = target == 1 ? -answer : answer;
            return Math.max(wrong, 0) + Math.log1p(Math.exp(-Math.abs(wrong)));
        }

        @Override
        double slope(double answer, double target) {
            return 1 / (1 + Math.exp(-answer)) - target;
        }
    };

    private final String word;

    AdversarialLoss(String word) {
        this.word = word;
    }

    /** The name as users write it. */
    public String word() {
        return word;
    }

    abstract double of(double answer, double target);

    abstract double slope(double answer, double target);

    /**
     * The mean loss of a batch.
     *
     * @param answers outputs of the discriminator
     * @param real true if the target is 1, for real images; false if it is 0
     * @param share factor of the loss
     * @param slope receives the gradient with respect to the answers; null if it is not needed
     */
    public double mean(float[] answers, boolean real, double share, float[] slope) {
        double target = real ? 1 : 0;
        double sum = 0;
        for (int i = 0; i < answers.length; i++) {
            sum += of(answers[i], target);
            if (slope != null) {
                slope[i] = (float) (share * slope(answers[i], target) / answers.length);
            }
        }
        return share * sum / answers.length;
    }
}
