package dev.levee.operators.rounds.topology;

/** Which models a participant reads if there are several servers. */
public enum Reading {
    /**
     * All of them, combined by the rule for models into one, whose gradient goes to every server
     * (El-Mhamdi et al., "Genuinely Distributed Byzantine Machine Learning", PODC 2020).
     */
    AGGREGATE,
    /** All of them, one by one: a gradient of each server's own model goes to that server. */
    PER_SERVER,
    /**
     * The model of one server, and of the next if it has crashed: the gradient goes to every server
     * (thesis, section 3.6.2).
     */
    PRIMARY,
    /**
     * The model of the participant's own node: participant i and server i are one, and its gradient
     * goes to all nodes that listen to it.
     */
    OWN
}
