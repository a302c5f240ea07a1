package dev.levee.learners.internal.djl.natives;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;

/**
 * Native memory that a learner keeps for one purpose from step to step. It grows if needed and
 * never shrinks.
 */
public final class Scratch {
    private final PtNDManager owner;
    private PtNDManager manager;
    private NativeFloats memory;

    public Scratch(PtNDManager owner) {
        this.owner = owner;
    }

    /**
     * A tensor with these values. It is valid until the next call or until {@code step} is closed.
     */
    public PtNDArray tensor(PtNDManager step, float[] values, Shape shape) {
        return tensor(step, values, values.length, shape);
    }

    /** A tensor with the first {@code length} values, which is valid equally long. */
    public PtNDArray tensor(PtNDManager step, float[] values, int length, Shape shape) {
        if (memory == null || memory.length() < length) {
            if (manager != null) {
                manager.close();
            }
            manager = owner.newSubManager(owner.getDevice());
            memory = new NativeFloats(manager, length);
        }
        memory.put(0, values, 0, length);
        return memory.tensor(step, 0, length, shape);
    }
}
