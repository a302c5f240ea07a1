package dev.levee.operators.rounds.topology;

/** The models that a participant reads if there are several servers. */
public enum Reading {
    /**
     * The models of all servers, combined into one by the rule for models. Its gradient goes to
     * every server (El-Mhamdi et al., "Genuinely Distributed Byzantine Machine Learning", PODC
     * 2020).
     */
    AGGREGATE,
    /**
     * The model of each server separately: the gradient of a server's model goes to that server.
     */
    PER_SERVER,
    /**
     * The model of one server, or of the next one if the server has crashed. The gradient goes to
     * every server (thesis, section 3.6.2).
     */
    PRIMARY,
    /**
     * The model of the participant's own node: participant i and server i are one, and its gradient
     * goes to all nodes that listen to it.
     */
    OWN
}
