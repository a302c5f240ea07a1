package dev.levee.connectors.data;

/** The simplest classifier: the class whose mean is nearest. */
final class NearestCentroid {
    private NearestCentroid() {}

    /** Share of the test samples that it gets right. */
    static double accuracy(Dataset train, Dataset test) {
        int length = train.batch(new int[] {0}).features().length;
        double[][] means = new double[train.classes()][length];
        int[] counts = new int[train.classes()];
        float[] sample = new float[length];
        for (int i = 0; i < train.size(); i++) {
            train.read(i, sample, 0);
            counts[train.label(i)]++;
            for (int j = 0; j < length; j++) {
                means[train.label(i)][j] += sample[j];
            }
        }
        for (int label = 0; label < means.length; label++) {
            for (int j = 0; j < length; j++) {
                means[label][j] /= counts[label];
            }
        }
        int right = 0;
        for (int i = 0; i < test.size(); i++) {
            test.read(i, sample, 0);
            right += nearest(means, sample) == test.label(i) ? 1 : 0;
        }
        return (double) right / test.size();
    }

    private static int nearest(double[][] means, float[] sample) {
        int nearest = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int label = 0; label < means.length; label++) {
            double distance = 0;
            for (int j = 0; j < sample.length; j++) {
                double difference = sample[j] - means[label][j];
                distance += difference * difference;
            }
            if (distance < least) {
                least = distance;
                nearest = label;
            }
        }
        return nearest;
    }
}
