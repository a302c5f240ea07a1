package dev.levee.k8s.simulator;

import java.util.Map;
import java.util.TreeMap;

/** A piecewise linear function through given points, constant outside them. */
final class Curve {
    private final TreeMap<Double, double[]> points = new TreeMap<>();

    void put(double x, double... values) {
        points.put(x, values);
    }

    double[] at(double x) {
        Map.Entry<Double, double[]> below = points.floorEntry(x);
        Map.Entry<Double, double[]> above = points.ceilingEntry(x);
        if (below == null) {
            return above.getValue();
        }
        if (above == null || above.getKey().equals(below.getKey())) {
            return below.getValue();
        }
        double share = (x - below.getKey()) / (above.getKey() - below.getKey());
        return mix(below.getValue(), above.getValue(), share);
    }

    static double[] mix(double[] first, double[] second, double share) {
        double[] mixed = new double[first.length];
        for (int i = 0; i < mixed.length; i++) {
            mixed[i] = first[i] + share * (second[i] - first[i]);
        }
        return mixed;
    }
}
