package dev.levee.operators.rounds.optimizer;

/** AdaGrad (Duchi et al. 2011, diagonal form): s ← s + g²; x ← x − η·g / (√s + 1e-10). */
record AdaGrad() implements Optimizer {
    private static final float EPSILON = 1e-10f;

    @Override
    public boolean adaptive() {
        return true;
    }

    @Override
    public int moments() {
        return 1;
    }

    @Override
    public void step(
            float[] parameters,
            float[] aggregate,
            float[][] moments,
            int length,
            long step,
            double learningRate,
            float[] newParameters,
            float[][] newMoments) {
        float eta = (float) learningRate;
        for (int i = 0; i < length; i++) {
            float g = aggregate[i];
            float s = moments[0][i] + g * g;
            newMoments[0][i] = s;
            newParameters[i] = parameters[i] - eta * g / ((float) Math.sqrt(s) + EPSILON);
        }
    }
}
