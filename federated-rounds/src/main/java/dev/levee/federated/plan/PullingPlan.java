package dev.levee.federated.plan;

import dev.levee.federated.devices.Sampling;

/** A plan without a barrier: devices pull the newest model when they are free. */
sealed interface PullingPlan extends AskingPlan permits ArrivalPlan, ForeseenPulls {
    /** Treatment of contributions. */
    Asynchrony asynchrony();

    /**
     * True if the server's step size decreases with the staleness of a round's only contribution.
     */
    boolean mixing();

    @Override
    default Sampling sampling() {
        return Sampling.parse("uniform");
    }

    /**
     * The step size α·s(τ) if models are mixed (Xie, Koyejo and Gupta 2019, algorithm 1), else α.
     *
     * @param version the version before the step
     * @param bases the versions that the round's contributions answer
     */
    default double mixed(double stepSize, long version, long[] bases) {
        return mixing() ? stepSize * asynchrony().weight().at(version - bases[0]) : stepSize;
    }
}
