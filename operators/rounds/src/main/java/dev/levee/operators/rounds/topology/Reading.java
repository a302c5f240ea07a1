package dev.levee.operators.rounds.topology;

/** Which models a participant reads, where there are several servers. */
public enum Reading {
    /**
     * All of them, combined by the rule for models into one, whose gradient goes to every server
     * (El-Mhamdi et al., "Genuinely Distributed Byzantine Machine Learning", PODC 2020).
     */
    AGGREGATE,
    /** All of them, one by one: a gradient of each server's own model goes to that server. */
    PER_SERVER,
    /**
     * That of one of them, and of the next when it has crashed: the gradient goes to every server
     * (thesis, section 3.6.2).
     */
    PRIMARY,
    /**
     * That of the node that it is part of: participant i and server i are one, and its gradient
     * goes to all who listen to it.
     */
    OWN
}
