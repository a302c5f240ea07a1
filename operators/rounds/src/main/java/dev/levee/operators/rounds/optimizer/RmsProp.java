package dev.levee.operators.rounds.optimizer;

/**
 * RMSProp (Tieleman and Hinton 2012): s ← 0.99·s + 0.01·g²; u = g / (√s + 1e-8); with momentum v ←
 * μ·v + u; x ← x − η·v.
 */
record RmsProp(double momentum) implements Optimizer {
    private static final float DECAY = 0.99f;
    private static final float EPSILON = 1e-8f;

    @Override
    public boolean adaptive() {
        return true;
    }

    @Override
    public int moments() {
        return 2;
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
        for (int i = 0; i < length; i++) {
            float g = aggregate[i];
            float s = DECAY * moments[0][i] + (1 - DECAY) * g * g;
            float v = mu * moments[1][i] + g / ((float) Math.sqrt(s) + EPSILON);
            newMoments[0][i] = s;
            newMoments[1][i] = v;
            newParameters[i] = parameters[i] - eta * v;
        }
    }
}
