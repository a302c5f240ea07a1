package dev.levee.operators.rounds.training;

import dev.levee.gar.Attack;
import dev.levee.gar.Round;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.topology.Topology;

import java.io.Serializable;

/**
 * The attackers and their attack.
 *
 * @param attack the attack, null if there is no attack
 * @param suspects the participants among which the attackers are
 * @param view the part of a round that attackers see before they send
 * @param horizon tells which records belong to rounds that the adversary tracks
 * @param seed seed of the attack's random choices
 */
public record AttackPlan(
        Attack attack, Suspects suspects, AttackView view, Horizon horizon, long seed)
        implements Serializable {
    /**
     * The participants among which the attackers are. The adversary does not see contributions of
     * others.
     *
     * @param first the lowest id
     * @param count number of these participants; in an elastic run, those that are always active
     * @param attackers number of attackers; they have the last ids
     */
    public record Suspects(int first, int count, int attackers) implements Serializable {
        /** Checks the numbers. */
        public Suspects {
            if (attackers < 0 || attackers > count) {
                throw new IllegalArgumentException(
                        "attackers must be 0 to %d of %d workers, got %d"
                                .formatted(count, count, attackers));
            }
        }

        /** True if an id belongs to these participants. */
        public boolean contains(int id) {
            return id >= first && id < first + count;
        }

        /** True if an id is an attacker's. */
        public boolean attacks(int id) {
            return contains(id) && id >= first + count - attackers;
        }
    }

    /**
     * The rounds that the adversary tracks.
     *
     * @param run the run that records carry ({@link Header#run}), null for any
     * @param ahead largest distance from a round that the adversary has seen to its next one. A
     *     round opens only when the one before it has closed, and all its rows pass the adversary.
     *     With a staleness bound, these rows may answer versions that are older by the bound. So a
     *     record from farther ahead is not from a participant, and must not displace rounds that
     *     the adversary remembers
     * @param rounds number of rounds whose rows may arrive at the same time
     */
    public record Horizon(Long run, long ahead, int rounds) implements Serializable {
        /**
         * True if the adversary tracks a record's round when this is the newest round it has seen.
         */
        public boolean has(Header header, long seen) {
            return (run == null || run == header.run()) && header.round() <= seen + ahead;
        }
    }

    /**
     * A plan for records of any run.
     *
     * @param quorum contributions that close a round
     */
    public AttackPlan(Attack attack, int workers, int attackers, int quorum, long seed) {
        this(
                attack,
                new Suspects(0, workers, attackers),
                new AttackView.All(quorum, null),
                new Horizon(null, 1, 1),
                seed);
    }

    /** Maximum staleness bound with an attack that forges rows. */
    private static final int MOST_OLDER = 100;

    /** Checks that the attack works with these numbers. */
    public AttackPlan {
        if (attack != null && suspects.attackers() > 0) {
            if (attack.sees() == Attack.Sees.HONEST && suspects.attackers() == suspects.count()) {
                throw new IllegalArgumentException(
                        "%s needs what an honest participant sends, but all %s attack"
                                .formatted(attack.name(), suspects.count()));
            }
            view.check(attack, suspects, seed);
        }
    }

    /** The plan of a training. */
    public static AttackPlan of(Training training) {
        return of(training, Header.run(training.runId()));
    }

    /** The plan of a training whose records have this run. */
    public static AttackPlan of(Training training, long run) {
        Topology topology = training.topology();
        int suspects = training.suspects();
        boolean sampled = training.permanentWorkers() < suspects;
        long ahead = topology.gradientsAhead(training.rounds()) + training.plan().ahead();
        int rounds = ahead == 1 ? 1 : 2;
        if (topology.remembersTold()) {
            rounds = 1 + topology.mostAhead();
        } else if (sampled && training.plan().ahead() > 0) {
            rounds = Math.toIntExact(ahead);
        }
        // Without a barrier, a contribution belongs to the round that it is due in, however old its
        // model is; otherwise, to the version that it answers.
        int older = training.plan().ahead() > 0 ? 0 : training.admission().staleness();
        Attackers attackers = training.attackers();
        if (attackers.count() > 0 && attackers.attack().forges() && older > MOST_OLDER) {
            throw new IllegalArgumentException(
                    "%s keeps the rows of each version that may be answered, so the staleness bound must be at most %d, got %d"
                            .formatted(attackers.attack().name(), MOST_OLDER, older));
        }
        return new AttackPlan(
                attackers.attack(),
                new Suspects(0, suspects, attackers.count()),
                sampled
                        ? new AttackView.Asked(training)
                        : new AttackView.All(
                                training.admission().quorum(suspects),
                                topology.exchanges() ? training : null),
                new Horizon(run, ahead + older, rounds + older),
                training.seed());
    }

    /**
     * The plan of Byzantine servers, for one server that hears them.
     *
     * @param reader the server that hears them
     * @param run the run in records
     */
    public static AttackPlan ofServers(Training training, int reader, long run) {
        Topology topology = training.topology();
        Attackers liars =
                topology.exchange() == null ? Attackers.NONE : topology.exchange().liars();
        return new AttackPlan(
                liars.attack(),
                new Suspects(training.serverId(0), topology.servers(), liars.count()),
                new AttackView.Heard(topology, reader),
                new Horizon(run, topology.farthestBehind(training.rounds()), topology.mostAhead()),
                training.seed());
    }

    /** The same plan for another server that hears them. */
    public AttackPlan heardBy(int server) {
        return view instanceof AttackView.Heard heard
                ? new AttackPlan(
                        attack,
                        suspects,
                        new AttackView.Heard(heard.topology(), server),
                        horizon,
                        seed)
                : this;
    }

    /** True if a participant attacks. */
    public boolean attacks(int id) {
        return attack != null && suspects.attacks(id);
    }

    /**
     * True if attackers' contributions are replaced in transit; silent attackers and flipped labels
     * act at the worker.
     */
    public boolean onTheWay() {
        return attack != null && suspects.attackers() > 0 && attack.forges();
    }

    /**
     * True if the attack works in a round; otherwise, attackers are honest.
     *
     * @param asked the participants that the round asks; null if all take part
     */
    public boolean works(long round, Cohort asked) {
        return view.works(this, round, asked);
    }

    /**
     * True if an attacker's row certainly does not depend on the gradient that it would compute.
     * Without a barrier, the row belongs to a later round, which may have no honest row to see.
     *
     * @param settings the settings with which it would compute
     * @param round the round of its row
     */
    public boolean forgesAlone(Settings settings, long round) {
        boolean made = attack.sees() == Attack.Sees.NOTHING;
        return attack.forges()
                && (made || attack.sees() == Attack.Sees.HONEST && settings.pulls() == null)
                && works(round, settings.cohort());
    }

    /**
     * Number of honest rows of a round that attackers see before they send.
     *
     * @param asked the participants that the round asks; null if all take part
     */
    public int honestSeen(long round, Cohort asked) {
        return view.honestSeen(this, round, asked);
    }

    /**
     * An attack's view of a round.
     *
     * @param asked the participants that the round asks; null if all take part
     * @param reader the server that reads
     */
    public Round known(long round, Cohort asked, int reader) {
        return view.known(this, round, asked, reader);
    }

    /**
     * The reading server if its own record comes first among the rows that the attack sees, −1
     * otherwise.
     */
    public int readsFirst() {
        return view instanceof AttackView.Heard heard
                        && attack.equivocates()
                        && !attacks(suspects.first() + heard.server())
                ? heard.server()
                : -1;
    }

    /** True if a record is a server's message to itself. */
    public boolean toItself(Header header) {
        return view instanceof AttackView.Heard
                && header.sender() == suspects.first() + header.receiver();
    }
}
