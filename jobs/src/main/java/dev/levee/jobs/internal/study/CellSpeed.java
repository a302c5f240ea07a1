package dev.levee.jobs.internal.study;

import dev.levee.gar.Attack;
import dev.levee.operators.rounds.training.Training;

/**
 * The cost of a cell, in seconds.
 *
 * @param setUp before its first round
 * @param computing a round's work of one participant that computes
 * @param besides the rest of a round: attackers, the rule, the server's step
 * @param evaluation of one model, on test and validation samples
 */
record CellSpeed(double setUp, double computing, double besides, double evaluation) {
    /** Seconds of a round. */
    double round(Training training) {
        return atWork(training) * computing + besides;
    }

    /** Seconds of a whole cell. */
    double cell(Training training) {
        long rounds = training.rounds();
        long interval = training.evalInterval();
        return setUp
                + rounds * round(training)
                + (1 + (rounds + interval - 1) / interval) * evaluation;
    }

    /** How many participants compute in a round; attackers that forge do not. */
    static double atWork(Training training) {
        double honest = 1;
        if (training.attackers()
                .are(attack -> !attack.flipsLabels() && attack.sees() != Attack.Sees.OWN)) {
            honest -= (double) training.attackers().count() / training.suspects();
        }
        return training.plan().perRound(training) * honest;
    }
}
