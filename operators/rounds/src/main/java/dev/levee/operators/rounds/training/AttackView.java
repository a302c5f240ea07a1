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
    default boolean works(AttackPlan plan, Cohort asked) {
        return true;
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
     * @param quorum number of contributions that would close a round of all workers
     */
    record Asked(Training training, int quorum) implements AttackView {
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
            checkWorkers(attack, asked, liars, quorum, seed);
        }

        @Override
        public boolean works(AttackPlan plan, Cohort asked) {
            Round round = known(plan, 0, asked, 0);
            int honest = round.rows() - round.f();
            if (round.f() == 0 || honest == 0 && plan.attack().sees() == Attack.Sees.HONEST) {
                return false;
            }
            try {
                plan.attack().check(round, Math.max(1, honest));
                return true;
            } catch (IllegalArgumentException e) {
                return false;
            }
        }

        @Override
        public int honestSeen(AttackPlan plan, long round, Cohort asked) {
            Round known = known(plan, round, asked, 0);
            return beside(known.rows(), known.f());
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
            int quorum = topology.quorum(topology.fewestHeard(seed));
            attack.check(
                    new Round(suspects.count(), suspects.attackers(), 0, seed),
                    beside(quorum, suspects.attackers()));
        }

        @Override
        public int honestSeen(AttackPlan plan, long round, Cohort asked) {
            int[] heard = topology.heardBy(server, plan.seed(), round);
            return beside(topology.quorum(heard.length), heard.length - honest(plan, heard));
        }

        private static int honest(AttackPlan plan, int[] servers) {
            int first = plan.suspects().first();
            return Math.max(
                    1, (int) Arrays.stream(servers).filter(s -> !plan.attacks(first + s)).count());
        }

        @Override
        public Round known(AttackPlan plan, long round, Cohort asked, int reader) {
            Suspects suspects = plan.suspects();
            if (!plan.attack().equivocates()) {
                return new Round(suspects.count(), suspects.attackers(), round, plan.seed());
            }
            int[] heard = topology.heardBy(server, plan.seed(), round);
            return new Round(
                    heard.length,
                    heard.length - honest(plan, heard),
                    round,
                    Draws.key(plan.seed(), reader));
        }
    }
}
