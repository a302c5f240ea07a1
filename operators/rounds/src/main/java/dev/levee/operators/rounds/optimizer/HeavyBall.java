package dev.levee.operators.rounds.optimizer;

/** v ← μ·v + g; x ← x − η·v (Polyak 1964). */
record HeavyBall(double momentum) implements Optimizer {
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
        float mu = (float) momentum;
        float[] velocity = moments[0];
        float[] newVelocity = newMoments[0];
        for (int i = 0; i < length; i++) {
            float v = mu * velocity[i] + aggregate[i];
            newVelocity[i] = v;
            newParameters[i] = parameters[i] - eta * v;
        }
    }
}
