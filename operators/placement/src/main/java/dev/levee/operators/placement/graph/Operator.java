package dev.levee.operators.placement.graph;

import java.util.Arrays;
import java.util.List;

/**
 * An operator of a model.
 *
 * @param name unique in its graph
 * @param seconds compute time on a device of speed 1
 * @param persistent bytes that its device always holds: parameters, gradients, optimizer state
 * @param temporary bytes that are held only while the operator runs
 * @param outputs its outputs, in order
 * @param group its colocation group, whose operators all run on one device; null for none
 * @param phase forward or backward
 * @param device the name of the device where it must run; null for any
 */
public record Operator(
        String name,
        double seconds,
        long persistent,
        long temporary,
        List<Output> outputs,
        String group,
        PassDirection phase,
        String device) {
    /** Maximum of all bytes of a graph, so that sums of bytes do not overflow. */
    static final long MOST_BYTES = 1L << 50;

    public Operator {
        outputs = List.copyOf(outputs);
        if (name.isBlank()) {
            throw new IllegalArgumentException("an operator must have a name");
        }
        if (!(seconds >= 0) || Double.isInfinite(seconds)) {
            throw new IllegalArgumentException(
                    "operator %s must take 0 seconds or more, got %s".formatted(name, seconds));
        }
        if (persistent < 0 || temporary < 0) {
            throw new IllegalArgumentException(
                    "operator %s must need 0 bytes or more, got %d persistent and %d temporary"
                            .formatted(name, persistent, temporary));
        }
    }

    /** An operator with compute time only. */
    public static Operator of(String name, double seconds) {
        return new Operator(name, seconds, 0, 0, List.of(), null, PassDirection.FORWARD, null);
    }

    /** This operator with another compute time. */
    public Operator withSeconds(double other) {
        return new Operator(name, other, persistent, temporary, outputs, group, phase, device);
    }

    /** This operator with persistent memory. */
    public Operator withPersistent(long bytes) {
        return new Operator(name, seconds, bytes, temporary, outputs, group, phase, device);
    }

    /** This operator with temporary memory. */
    public Operator withTemporary(long bytes) {
        return new Operator(name, seconds, persistent, bytes, outputs, group, phase, device);
    }

    /** This operator with outputs of these sizes. */
    public Operator withOutputs(long... bytes) {
        return withOutputs(Arrays.stream(bytes).mapToObj(Output::of).toList());
    }

    /** This operator with these outputs. */
    public Operator withOutputs(List<Output> others) {
        return new Operator(name, seconds, persistent, temporary, others, group, phase, device);
    }

    /** This operator in a colocation group. */
    public Operator withGroup(String other) {
        return new Operator(name, seconds, persistent, temporary, outputs, other, phase, device);
    }

    /** This operator with another phase. */
    public Operator withPhase(PassDirection other) {
        return new Operator(name, seconds, persistent, temporary, outputs, group, other, device);
    }

    /** This operator, bound to a device. */
    public Operator withDevice(String other) {
        return new Operator(name, seconds, persistent, temporary, outputs, group, phase, other);
    }

    /** The bytes of memory and of all outputs; a number that cannot overflow. */
    double bytes() {
        double ofOutputs = outputs.stream().mapToDouble(Output::bytes).sum();
        return (double) persistent + temporary + ofOutputs;
    }

    /** Bytes of the outputs that are not persistent. */
    public long outputBytes() {
        return outputs.stream().filter(each -> !each.persistent()).mapToLong(Output::bytes).sum();
    }

    /** Bytes that the operator takes when it starts: temporary memory and outputs. */
    public long runningBytes() {
        return temporary + outputBytes();
    }

    /** All bytes that the operator needs: persistent and temporary memory and outputs. */
    public long allBytes() {
        return persistent + runningBytes();
    }
}
