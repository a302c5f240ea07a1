package dev.levee.learners.internal.network;

/** The loss of a discriminator's answers, as a mean over a batch. */
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
     * @param answers of the discriminator
     * @param real true if they ought to be those to real images, 1, false for 0
     * @param share by what the loss is multiplied
     * @param slope receives the gradient by the answers, null if it is not wanted
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
