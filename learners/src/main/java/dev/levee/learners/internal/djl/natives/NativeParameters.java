package dev.levee.learners.internal.djl.natives;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;

import dev.levee.learners.Layout;
import dev.levee.learners.Segment;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A model's parameters in native memory. Loading copies arrays without a native call. Each step
 * gets new tensors over the same memory, so that its gradients start at zero.
 */
public final class NativeParameters {
    private final List<Segment> segments;
    private final Shape[] shapes;
    private final int[] starts;
    private final NativeFloats memory;
    private WeakReference<float[]> loaded = new WeakReference<>(null);

    public NativeParameters(PtNDManager manager, Layout layout) {
        segments = layout.segments();
        shapes = new Shape[segments.size()];
        starts = new int[segments.size()];
        long end = 0;
        for (int i = 0; i < starts.length; i++) {
            shapes[i] = new Shape(segments.get(i).shape());
            starts[i] = Math.toIntExact(end);
            end = NativeFloats.aligned(end + segments.get(i).length());
        }
        memory = new NativeFloats(manager, end);
    }

    /**
     * Loads a flat vector. Trainable parameters are skipped if the same vector is already loaded;
     * buffers are always loaded, because training changes them.
     */
    public void load(float[] parameters) {
        boolean there = loaded.refersTo(parameters);
        for (int i = 0; i < starts.length; i++) {
            Segment segment = segments.get(i);
            if (!there || !segment.trainable()) {
                memory.put(starts[i], parameters, segment.offset(), segment.length());
            }
        }
        if (!there) {
            loaded = new WeakReference<>(parameters);
        }
    }

    /**
     * Returns tensors over the loaded values, by name.
     *
     * @param step manager that closes the tensors
     * @param training true if trainable tensors need gradients
     */
    public Map<String, PtNDArray> tensors(PtNDManager step, boolean training) {
        Map<String, PtNDArray> tensors = new HashMap<>(2 * starts.length);
        for (int i = 0; i < starts.length; i++) {
            Segment segment = segments.get(i);
            PtNDArray tensor = memory.tensor(step, starts[i], segment.length(), shapes[i]);
            if (training && segment.trainable()) {
                Autograd.leaf(tensor);
            }
            tensors.put(segment.name(), tensor);
        }
        return tensors;
    }

    /**
     * Returns the gradients of trainable tensors and the current values of buffers, as one vector.
     */
    public float[] collect(Map<String, PtNDArray> tensors, int size) {
        float[] values = new float[size];
        collectBuffers(values, 0);
        collectGradients(tensors, values);
        return values;
    }

    /**
     * Copies the current values of buffers into the end of a flat vector.
     *
     * @param from index in the vector of the array's first value
     */
    public void collectBuffers(float[] values, int from) {
        for (int i = 0; i < starts.length; i++) {
            Segment segment = segments.get(i);
            if (!segment.trainable()) {
                memory.get(starts[i], values, segment.offset() - from, segment.length());
            }
        }
    }

    /** Copies the gradients of trainable tensors into a flat vector. */
    public void collectGradients(Map<String, PtNDArray> tensors, float[] values) {
        for (Segment segment : segments) {
            if (segment.trainable()) {
                PtNDArray gradient = Autograd.gradient(tensors.get(segment.name()));
                if (gradient != null) {
                    gradient.toByteBuffer(true)
                            .asFloatBuffer()
                            .get(values, segment.offset(), segment.length());
                }
            }
        }
    }
}
