package dev.levee.operators.placement.schedule;

/** Thrown if an operator has no room on any device. */
public final class InfeasibleException extends Exception {
    private static final long serialVersionUID = 1;

    private final String operator;
    private final long bytes;

    /**
     * Creates an exception that names the operator and its need.
     *
     * @param bytes bytes that the operator needs, including the persistent memory of its colocation
     *     group if no operator of the group is placed yet
     */
    public InfeasibleException(String operator, long bytes) {
        super(
                "operator %s needs %,d bytes, which no device that may run it has left"
                        .formatted(operator, bytes));
        this.operator = operator;
        this.bytes = bytes;
    }

    /** The operator's name. */
    public String operator() {
        return operator;
    }

    /** Bytes that the operator needs. */
    public long bytes() {
        return bytes;
    }
}
