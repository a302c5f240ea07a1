package dev.levee.operators.rounds.training;

import dev.levee.gar.Attack;
import dev.levee.gar.Draws;
import dev.levee.gar.Round;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.AttackPlan.Suspects;

import java.io.Serializable;
import java.util.Arrays;

/**
 * The attackers' view of a round: its participants, and the number of honest rows that attackers
 * wait for before they send, so that their own rows are still in the quorum.
 */
public sealed interface AttackView extends Serializable {
    /**
     * Checks that an attack works for these suspects.
     *
     * @throws IllegalArgumentException if it does not work
     */
    void check(Attack attack, Suspects suspects, long seed);

    /** True if the attack works in a round with this cohort. */
    default boolean works(AttackPlan plan, long round, Cohort asked) {
        Round known = known(plan, round, asked, 0); // no attack's limits depend on the reader
        int honest = Math.min(known.rows() - known.f(), honestSeen(plan, round, asked));
        return works(plan.attack(), known, honest);
    }

    /**
     * True if an attack can forge rows in a round.
     *
     * @param round a round as passed to {@link Attack#forge}
     * @param honest number of honest rows that the attackers see, 0 if there is none to see
     */
    static boolean works(Attack attack, Round round, int honest) {
        if (round.f() == 0 || honest == 0 && attack.sees() == Attack.Sees.HONEST) {
            return false;
        }
        try {
            attack.check(round, Math.max(1, honest));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Number of honest rows of a round that attackers see before they send. */
    int honestSeen(AttackPlan plan, long round, Cohort asked);

    /**
     * An attack's view of a round: all rows and the number of forged ones. If attackers send
     * readers different rows, it has the rows of one reader.
     */
    Round known(AttackPlan plan, long round, Cohort asked, int reader);

    private static int beside(int rows, int attackers) {
        return Math.max(1, rows - attackers);
    }

    private static void checkWorkers(
            Attack attack, int asked, int attackers, int quorum, long seed) {
        attack.check(
                new Round(asked, attackers, 0, seed), beside(Math.min(quorum, asked), attackers));
        if (attack.equivocates() && attack.sees() == Attack.Sees.HONEST) {
            throw new IllegalArgumentException(
                    attack.name() + " is for servers, which read each other's models");
        }
    }

    /**
     * All workers take part in each round.
     *
     * @param quorum contributions that close a round
     * @param exchanging the training, if its servers have exchanges between the rounds of workers;
     *     else null
     */
    record All(int quorum, Training exchanging) implements AttackView {
        @Override
        public void check(Attack attack, Suspects suspects, long seed) {
            checkWorkers(attack, suspects.count(), suspects.attackers(), quorum, seed);
        }

        @Override
        public boolean works(AttackPlan plan, long round, Cohort asked) {
            return true;
        }

        @Override
        public int honestSeen(AttackPlan plan, long round, Cohort asked) {
            return beside(quorum, plan.suspects().attackers());
        }

        @Override
        public Round known(AttackPlan plan, long round, Cohort asked, int reader) {
            long seed = plan.seed();
            return new Round(
                    plan.suspects().count(),
                    plan.suspects().attackers(),
                    exchanging == null ? round : exchanging.drawing(round),
                    plan.attack().equivocates() ? Draws.key(seed, reader) : seed);
        }
    }

    /**
     * Each round asks some of the workers, so the plan determines its attackers and the honest rows
     * that they see.
     *
     * @param training the training of the rounds
     */
    record Asked(Training training) implements AttackView {
        @Override
        public void check(Attack attack, Suspects suspects, long seed) {
            int asked = training.plan().perRound(training);
            int attackers = suspects.attackers();
            // The attackers' expected number in the cohort, at least one and not all.
            long share = Math.round((double) asked * attackers / suspects.count());
            int liars =
                    asked == suspects.count()
                            ? attackers
                            : (int) Math.max(1, Math.min(asked - 1L, share));
            checkWorkers(attack, asked, liars, training.admission().quorum(asked), seed);
        }

        @Override
        public int honestSeen(AttackPlan plan, long round, Cohort asked) {
            Round known = known(plan, round, asked, 0);
            return beside(training.admission().quorum(known.rows()), known.f());
        }

        @Override
        public Round known(AttackPlan plan, long round, Cohort asked, int reader) {
            int liars = (int) Arrays.stream(asked.ids()).filter(plan::attacks).count();
            return new Round(asked.size(), liars, round, plan.seed());
        }
    }

    /** A server among others that it hears. */
    record Heard(Topology topology, int server) implements AttackView {
        @Override
        public void check(Attack attack, Suspects suspects, long seed) {
            int heard = topology.mostHeard(seed);
            // On a graph, at most f of the attackers are a node's neighbors.
            int liars =
                    topology.local()
                            ? Math.min(
                                    suspects.attackers(),
                                    Math.max(1, topology.exchange().byzantine()))
                            : suspects.attackers();
            attack.check(new Round(heard, liars, 0, seed), beside(topology.quorum(heard), liars));
        }

        @Override
        public int honestSeen(AttackPlan plan, long round, Cohort asked) {
            Round known = known(plan, round, asked, server);
            return beside(topology.quorum(known.rows()), known.f());
        }

        @Override
        public Round known(AttackPlan plan, long round, Cohort asked, int reader) {
            int[] heard = topology.heardBy(server, plan.seed(), round);
            int first = plan.suspects().first();
            int liars =
                    (int)
                            Arrays.stream(heard)
                                    .filter(s -> plan.suspects().attacks(first + s))
                                    .count();
            return new Round(
                    heard.length,
                    liars,
                    round,
                    plan.attack().equivocates() ? Draws.key(plan.seed(), reader) : plan.seed());
        }
    }
}
