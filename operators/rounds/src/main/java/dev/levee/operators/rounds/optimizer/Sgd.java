package dev.levee.operators.rounds.optimizer;

/** x ← x − η·g. */
record Sgd() implements Optimizer {
    @Override
    public int moments() {
        return 0;
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
            newParameters[i] = parameters[i] - eta * aggregate[i];
        }
    }
}
