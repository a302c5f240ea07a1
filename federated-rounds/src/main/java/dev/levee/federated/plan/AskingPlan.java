package dev.levee.federated.plan;

import dev.levee.federated.devices.Devices;
import dev.levee.federated.devices.Sampling;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.Training;

import java.util.List;

/** A plan of rounds that ask devices. */
public sealed interface AskingPlan extends Plan permits DevicePlan, PullingPlan {
    /** The devices that can be asked. */
    Devices devices();

    /** Draws the devices of a round. */
    Sampling sampling();

    /** The simulated rounds in virtual time; empty without virtual time. */
    List<VirtualRound> simulated(Training training, long rounds);
}
