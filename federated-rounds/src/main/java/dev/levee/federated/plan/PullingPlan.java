package dev.levee.federated.plan;

import dev.levee.federated.devices.Sampling;

/** A plan without a barrier: devices pull the newest model when they are free. */
sealed interface PullingPlan extends AskingPlan permits ArrivalPlan, ForeseenPulls {
    /** Treatment of contributions. */
    Asynchrony asynchrony();

    /** True if the server's step shrinks with the staleness of a round's one contribution. */
    boolean mixing();

    @Override
    default Sampling sampling() {
        return Sampling.parse("uniform");
    }

    /**
     * α·s(τ) where models are mixed (Xie, Koyejo and Gupta 2019, algorithm 1), else α.
     *
     * @param version that the step makes a newer one of
     * @param bases the versions that the round's contributions answer
     */
    default double mixed(double stepSize, long version, long[] bases) {
        return mixing() ? stepSize * asynchrony().weight().at(version - bases[0]) : stepSize;
    }
}
