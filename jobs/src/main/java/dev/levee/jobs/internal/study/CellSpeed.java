package dev.levee.jobs.internal.study;

import dev.levee.gar.Attack;
import dev.levee.operators.rounds.training.Training;

/**
 * The durations of a cell's parts, in seconds.
 *
 * @param setUp time before the first round
 * @param computing work of one computing participant in a round
 * @param besides remaining time of a round: attackers, the rule, the server's step
 * @param evaluation evaluation of one model on test and validation samples
 */
record CellSpeed(double setUp, double computing, double besides, double evaluation) {
    /** The duration of a round in seconds. */
    double round(Training training) {
        return atWork(training) * computing + besides;
    }

    /** The duration of the whole cell in seconds. */
    double cell(Training training) {
        long rounds = training.rounds();
        long interval = training.evalInterval();
        return setUp
                + rounds * round(training)
                + (1 + (rounds + interval - 1) / interval) * evaluation;
    }

    /**
     * The number of participants that compute in a round; attackers that forge gradients do not.
     */
    static double atWork(Training training) {
        double honest = 1;
        if (training.attackers().are(Attack::idle)) {
            honest -= (double) training.attackers().count() / training.suspects();
        }
        return training.plan().perRound(training) * honest;
    }
}
