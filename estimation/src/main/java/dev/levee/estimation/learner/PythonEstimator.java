package dev.levee.estimation.learner;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * Fits estimators of a user's Python file. The file's function {@code learner(name)} returns any
 * object with {@code fit} and {@code predict}, such as an estimator of scikit-learn. Each thread
 * that fits uses its own interpreter, which is kept for later fits. A fit and its prediction are
 * one request, so an interpreter keeps no state that affects results. If an interpreter dies, a new
 * one is started.
 */
final class PythonEstimator implements Learner {
    /** Maximum number of attempts at a fit during which the interpreter dies. */
    private static final int ATTEMPTS = 3;

    private final PythonEstimatorSettings settings;
    private final String script;
    private final String name;
    private final Deque<PythonInterpreter> idle = new ArrayDeque<>();
    private final Set<PythonInterpreter> all = new HashSet<>();
    private boolean closed;

    PythonEstimator(PythonEstimatorSettings settings, String script, String name) {
        this.settings = settings;
        this.script = script;
        this.name = name;
    }

    @Override
    public void check() {
        try {
            giveBack(take());
        } catch (PythonException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    @Override
    public Predictor fit(double[][] features, double[] target, long seed) {
        return rows -> fitAndPredict(features, target, rows, seed);
    }

    private double[] fitAndPredict(
            double[][] features, double[] target, double[][] rows, long seed) {
        for (int attempt = 1; ; attempt++) {
            try {
                return once(features, target, rows, seed);
            } catch (PythonException e) {
                if (e.isFinal() || attempt == ATTEMPTS || isClosed()) {
                    throw e;
                }
            }
        }
    }

    private double[] once(double[][] features, double[] target, double[][] rows, long seed) {
        PythonInterpreter interpreter = take();
        try {
            double[] predicted = interpreter.fitAndPredict(features, target, rows, seed);
            giveBack(interpreter);
            return predicted;
        } catch (PythonException e) {
            forget(interpreter);
            throw e;
        }
    }

    private PythonInterpreter take() {
        synchronized (this) {
            PythonInterpreter warm = idle.poll();
            if (warm != null) {
                return warm;
            }
        }
        PythonInterpreter fresh = PythonInterpreter.start(settings);
        synchronized (this) {
            all.add(fresh);
            if (closed) {
                fresh.close();
            }
        }
        try {
            fresh.open(script, name);
            return fresh;
        } catch (PythonException e) {
            forget(fresh);
            throw e;
        }
    }

    private synchronized void giveBack(PythonInterpreter interpreter) {
        idle.push(interpreter);
    }

    private synchronized void forget(PythonInterpreter interpreter) {
        all.remove(interpreter);
        interpreter.close();
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public synchronized void close() {
        closed = true;
        all.forEach(PythonInterpreter::close);
        all.clear();
        idle.clear();
    }

    @Override
    public String toString() {
        return settings + " for " + name;
    }

    /** True if all numbers are 0 or 1. */
    static boolean isBinary(double[] target) {
        return Arrays.stream(target).allMatch(each -> each == 0 || each == 1);
    }
}
