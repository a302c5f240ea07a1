package dev.levee.gar.internal.gpu;

import dev.levee.gar.Look;
import dev.levee.gar.Reduction;
import dev.levee.gar.RowMap;
import dev.levee.gar.block.Span;
import dev.levee.gar.internal.Backend;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Looks for a GPU, once per process. JCuda is not loaded before it is needed.
 *
 * @param backend the GPU's backend, null if there is none
 * @param reason why there is no GPU, as a continuation of "no GPU: "; null if there is one
 */
public record Gpu(GpuBackend backend, String reason) {
    private static final int ROWS = 5;
    private static final int COORDINATES = 10_000;
    private static final RowMap ALL = RowMap.identity(ROWS, ROWS);

    /** Tries the device; {@code cpu} does the work that stays on the processor. */
    static Gpu open(Backend cpu) {
        try {
            GpuBackend gpu = new GpuBackend(new JCudaAccelerator(), cpu);
            return agree(gpu, cpu)
                    ? new Gpu(gpu, null)
                    : new Gpu(null, gpu.name() + " computes different numbers from the processor");
        } catch (LinkageError e) {
            return new Gpu(null, explain(e));
        } catch (RuntimeException e) {
            return new Gpu(null, e.getMessage());
        }
    }

    /** A short reason; JCuda's own message contains pages of stack traces. */
    static String explain(LinkageError error) {
        String message = String.valueOf(error.getMessage());
        if (message.contains("libcuda")) {
            return "no CUDA driver: libcuda.so.1 cannot be loaded";
        }
        if (error instanceof NoClassDefFoundError && message.startsWith("jcuda")) {
            return "org.jcuda:jcuda is not on the class path";
        }
        if (message.contains("lib/lib") || message.contains("No resource found")) {
            return "org.jcuda:jcuda-natives for this platform is not on the class path";
        }
        return "JCuda cannot be loaded: " + message.lines().findFirst().orElse("");
    }

    /**
     * Runs a small look and a reduction on both backends. Returns true if the results agree, so
     * that the device can be used.
     */
    static boolean agree(Backend gpu, Backend cpu) {
        Random random = new Random(1);
        float[][] rows = new float[ROWS][COORDINATES];
        for (float[] row : rows) {
            for (int i = 0; i < COORDINATES; i++) {
                row[i] = (float) random.nextGaussian();
            }
        }
        return Arrays.equals(trimmed(gpu, rows), trimmed(cpu, rows))
                && Arrays.equals(distances(gpu, rows), distances(cpu, rows));
    }

    private static float[] trimmed(Backend backend, float[][] rows) {
        float[] out = new float[COORDINATES];
        try (Backend.Work work = backend.on(rows, null)) {
            work.reduce(ALL, new Reduction.TrimmedMean(1), List.of(), out);
        }
        return out;
    }

    private static double[] distances(Backend backend, float[][] rows) {
        try (Backend.Work work = backend.on(rows, null)) {
            Span span = new Span(0, COORDINATES, 0, 0);
            return work.look(Look.DISTANCES, ALL, span).squaredDistances();
        }
    }
}
