package dev.levee.operators.rounds.training;

import dev.levee.gar.Attack;
import dev.levee.gar.Draws;
import dev.levee.gar.Round;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.topology.Topology;

import java.io.Serializable;
import java.util.Arrays;

/**
 * Who attacks how.
 *
 * @param attack what attackers send
 * @param first the lowest id of those of whom some attack
 * @param workers how many these are; of an elastic run those that are always active, and what
 *     others send passes unseen
 * @param attackers how many of them attack; they are the last ids
 * @param quorum contributions that close a round: the attackers send once quorum − attackers honest
 *     rows are there
 * @param seed seed of what attacks draw
 * @param ahead how many rounds after one that it has seen the adversary's next one may be. A round
 *     opens only when the one before it is closed, with rows that all came by here, so a record
 *     from farther ahead than its plan allows is nobody's who takes part: it must not make the
 *     adversary forget
 * @param roundsSeen rounds whose rows may come at the same time
 * @param listener the server that these servers are heard by, null if they are workers
 * @param run the run that the records of workers carry ({@link Header#run}), null for any
 * @param sampled the training whose rounds ask some of the workers only, so that who attacks in a
 *     round, and behind whom, follows from its plan; null where all take part
 * @param exchanging the training whose servers exchange something between these workers' rounds;
 *     null where nobody does
 */
public record AttackPlan(
        Attack attack,
        int first,
        int workers,
        int attackers,
        int quorum,
        long seed,
        long ahead,
        int roundsSeen,
        Listener listener,
        Long run,
        Training sampled,
        Training exchanging)
        implements Serializable {
    /** A server among others that it hears. */
    public record Listener(Topology topology, int server) implements Serializable {}

    /** A plan for whatever run the records belong to. */
    public AttackPlan(Attack attack, int workers, int attackers, int quorum, long seed) {
        this(attack, 0, workers, attackers, quorum, seed, 1, 1, null, null, null, null);
    }

    /** Checks the numbers, and that the attack works with them. */
    public AttackPlan {
        if (attackers < 0 || attackers > workers) {
            throw new IllegalArgumentException(
                    "attackers must be 0 to "
                            + workers
                            + " of "
                            + workers
                            + " workers, got "
                            + attackers);
        }
        if (attack != null && attackers > 0) {
            int asked = sampled == null ? workers : sampled.plan().perRound(sampled);
            int liars = asked == workers ? attackers : share(asked, workers, attackers);
            attack.check(
                    new Round(asked, liars, 0, seed), honestSeen(Math.min(quorum, asked), liars));
            if (listener == null && attack.equivocates() && attack.sees() == Attack.Sees.HONEST) {
                throw new IllegalArgumentException(
                        attack.name() + " is for servers, which hear each other's models");
            }
        }
    }

    /** The plan of a training. */
    public static AttackPlan of(Training training) {
        return of(training, Header.run(training.runId()));
    }

    /** The plan of a training whose records carry this run. */
    public static AttackPlan of(Training training, long run) {
        int suspects = training.suspects();
        long ahead = ahead(training);
        return new AttackPlan(
                training.attackers().attack(),
                0,
                suspects,
                training.attackers().count(),
                training.admission().quorum(suspects),
                training.seed(),
                ahead,
                roundsSeen(training, ahead),
                null,
                run,
                sampled(training) ? training : null,
                training.topology().exchanges() ? training : null);
    }

    private static boolean sampled(Training training) {
        return training.permanentWorkers() < training.suspects();
    }

    private static long ahead(Training training) {
        return training.topology().gradientsAhead(training.rounds()) + training.plan().ahead();
    }

    private static int roundsSeen(Training training, long ahead) {
        Topology topology = training.topology();
        if (topology.remembersTold()) {
            return 1 + topology.mostAhead();
        }
        if (sampled(training) && training.plan().ahead() > 0) {
            return Math.toIntExact(ahead);
        }
        return ahead == 1 ? 1 : 2;
    }

    /**
     * The plan of lying servers, as one that listens to them meets them.
     *
     * @param reader the server that listens
     * @param run the run that records carry
     */
    public static AttackPlan ofServers(Training training, int reader, long run) {
        Topology topology = training.topology();
        Attackers liars =
                topology.exchange() == null ? Attackers.NONE : topology.exchange().liars();
        int heard = topology.fewestHeard(training.seed());
        return new AttackPlan(
                liars.attack(),
                training.serverId(0),
                topology.servers(),
                liars.count(),
                topology.exchanges() ? topology.quorum(heard) : heard,
                training.seed(),
                topology.farthestBehind(training.rounds()),
                topology.mostAhead(),
                new Listener(topology, reader),
                run,
                null,
                null);
    }

    /** About how many attackers are among those that are asked, one at least and not all. */
    private static int share(int asked, int workers, int attackers) {
        long share = Math.round((double) asked * attackers / workers);
        return (int) Math.max(1, Math.min(asked - 1L, share));
    }

    /** A round that asks these. */
    public Round asking(Cohort asked, long round) {
        int liars = (int) Arrays.stream(asked.ids()).filter(this::attacks).count();
        return new Round(asked.size(), liars, round, seed);
    }

    /** Whether the attack works in a round that asks these. */
    public boolean works(Cohort asked) {
        return sampled == null || works(asking(asked, 0));
    }

    /** Whether the attack works in such a round; who cannot attack answers honestly. */
    public boolean works(Round round) {
        int honest = round.rows() - round.f();
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

    /** True if a worker attacks. */
    public boolean attacks(int worker) {
        return attack != null && worker >= first + workers - attackers && worker < first + workers;
    }

    /** True if a record is what a server tells itself. */
    public boolean toItself(Header header) {
        return listener != null && header.sender() == first + header.receiver();
    }

    /** The same for another server that listens. */
    public AttackPlan heardBy(int server) {
        return listener == null
                ? this
                : new AttackPlan(
                        attack,
                        first,
                        workers,
                        attackers,
                        quorum,
                        seed,
                        ahead,
                        roundsSeen,
                        new Listener(listener.topology(), server),
                        run,
                        null,
                        null);
    }

    /** How many honest rows of a round the attackers see before they send. */
    public int honestSeen(long round) {
        if (listener == null) {
            return honestSeen(quorum, attackers);
        }
        int[] heard = heard(round);
        return honestSeen(listener.topology().quorum(heard.length), heard.length - honest(heard));
    }

    /** The servers that the listener hears in a round. */
    private int[] heard(long round) {
        return listener.topology().heardBy(listener.server(), seed, round);
    }

    private int honest(int[] servers) {
        return Math.max(
                1, (int) Arrays.stream(servers).filter(node -> !attacks(first + node)).count());
    }

    /** True if what who reads says itself comes first in what the attack sees. */
    public boolean readsFirst(int reader) {
        return listener != null && attack.equivocates() && !attacks(first + reader);
    }

    /**
     * What an attack knows of a round: all rows and how many of them are lies or, if it tells each
     * reader something else, those of its reader.
     *
     * @param reader the server that reads
     */
    public Round forging(long round, int reader) {
        long number = exchanging == null ? round : exchanging.drawing(round);
        if (!attack.equivocates()) {
            return new Round(workers, attackers, number, seed);
        }
        long draws = Draws.key(seed, reader);
        if (listener == null) {
            return new Round(workers, attackers, number, draws);
        }
        int[] heard = heard(round);
        return new Round(heard.length, heard.length - honest(heard), round, draws);
    }

    private static int honestSeen(int quorum, int attackers) {
        return Math.max(1, quorum - attackers);
    }

    /**
     * True if what attackers send is replaced on its way; silence and flipped labels begin at the
     * worker.
     */
    public boolean onTheWay() {
        return attack != null && attackers > 0 && !attack.silent() && !attack.flipsLabels();
    }
}
