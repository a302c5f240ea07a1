package dev.levee.operators.placement.graph;

/** The pass of a training step that an operator belongs to. */
public enum PassDirection {
    /** Computes outputs. */
    FORWARD,
    /** Computes gradients. */
    BACKWARD
}
