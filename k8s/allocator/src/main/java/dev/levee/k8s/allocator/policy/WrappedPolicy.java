package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.Policy;

/** Forwards everything except decisions to another policy. */
abstract class WrappedPolicy implements Policy {
    private final Policy policy;

    WrappedPolicy(Policy policy) {
        this.policy = policy;
    }

    /** The wrapped policy. */
    final Policy wrapped() {
        return policy;
    }

    @Override
    public final String name() {
        return policy.name();
    }

    @Override
    public final boolean startsOnArrival() {
        return policy.startsOnArrival();
    }

    @Override
    public final boolean choosesBatch() {
        return policy.choosesBatch();
    }

    @Override
    public final boolean packs() {
        return policy.packs();
    }

    @Override
    public final boolean elastic() {
        return policy.elastic();
    }

    @Override
    public final boolean usesLengths() {
        return policy.usesLengths();
    }

    @Override
    public final boolean limitsWaits() {
        return policy.limitsWaits();
    }

    @Override
    public final boolean usesThresholds() {
        return policy.usesThresholds();
    }
}
