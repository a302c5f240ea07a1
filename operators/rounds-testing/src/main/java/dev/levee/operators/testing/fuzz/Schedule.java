package dev.levee.operators.testing.fuzz;

import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Draws;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.Admission;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.vector.Slices;
import dev.levee.operators.testing.BrokenInvariantException;
import dev.levee.operators.testing.Changes;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.DrivenRun;
import dev.levee.operators.testing.driver.RoundDriver;
import dev.levee.operators.testing.plain.PlainLoop;
import dev.levee.operators.testing.plain.PlainServers;
import dev.levee.operators.testing.plain.SynchronousRows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A small random training and its disturbances, drawn from a seed: number of workers and blocks,
 * rule, attack, optimizer, quorum, timeout, delays, duplicates, losses, stalls, garbage and
 * crashes. About a quarter of the synchronous trainings are elastic. Running it checks all
 * invariants of the round protocol. Run it with millions of seeds.
 */
public final class Schedule extends DrawnSchedule {
    /** How a schedule ended. */
    public enum Outcome {
        /** All rounds were done, and the parameters follow from the rows. */
        DONE,
        /** The same, and the parameters are equal to those of an undisturbed plain loop. */
        EQUAL,
        /** A round had more proven faults than f, which is allowed. */
        FAILED
    }

    /** System property with the seed of a schedule to run again: {@code -Dlevee.seed=42}. */
    public static final String SEED_PROPERTY = "levee.seed";

    private static final List<Rule> RULES =
            List.of(
                    Rules.parse("average"),
                    Rules.parse("median"),
                    Rules.parse("multi-krum"),
                    Rules.parse("trimmed-mean"),
                    Rules.parse("clip(2) | nnm | trimmed-mean"),
                    Rules.parse("clip(2) | nnm | multi-krum"),
                    Rules.parse("zeno"),
                    Rules.parse("zeno(rho=0.1)"),
                    new ProbeRules.NearMedian(),
                    new ProbeRules.Pull());

    private static final List<Attack> ATTACKS =
            List.of(
                    Attacks.parse("none"),
                    Attacks.parse("reversed"),
                    Attacks.parse("random"),
                    Attacks.parse("dropped"),
                    Attacks.parse("little-is-enough(z=1.5)"),
                    Attacks.parse("fall-of-empires"),
                    Attacks.parse("mimic"),
                    Attacks.parse("min-max"),
                    Attacks.parse("min-sum(unit)"),
                    Attacks.parse("anti-cge"),
                    Attacks.parse("nan"),
                    Attacks.parse("inf"),
                    Attacks.parse("silent"),
                    Attacks.parse("label-flip"));

    private static final double RATE = 0.25;

    /** Halves the step size every third round, so that wrong settings are detected. */
    record Halving(double initial) implements LearningRate {
        @Override
        public String name() {
            return "halving";
        }

        @Override
        public double at(long round) {
            return initial / (1 << Math.min(30, round / 3));
        }
    }

    private final Training training;
    private final Slices slices;
    private final Quadratics problem;
    private final Disturbances disturbances;
    private final Changes changes;
    private final int subtasks;
    private final boolean comparable;

    /** Draws a schedule. */
    public Schedule(long seed) {
        super(seed, 1, RULES, 8, 3);
        int attackers = random.nextInt(f + 1);
        Attack attack =
                attackers == 0 && random.nextBoolean()
                        ? null
                        : ATTACKS.get(random.nextInt(ATTACKS.size()));
        boolean silent = attackers > 0 && attack.silent();
        slices = drawSlices(6, 4);
        int q = drawQuorum();
        boolean quorum = q < n;
        boolean timeout = (silent && !quorum) || random.nextInt(3) == 0;
        long delay = random.nextInt(8) == 0 ? 0 : between(1, 1000);
        boolean tight = timeout && random.nextInt(3) == 0;
        long micros = tight ? 1000 * (1 + delay / between(60, 200)) : 1_000_000 * (delay + 1);
        boolean absent =
                silent
                        || (attackers > 0
                                && (attack.sees() == Attack.Sees.HONEST
                                        || attack.sees() == Attack.Sees.NOTHING));
        int spare = Math.min(f, quorum ? n - q : f) - (absent ? attackers : 0);
        boolean breaks = spare > 0 && random.nextInt(4) == 0;
        problem = drawProblem(slices, breaks ? spare : 0);
        SplittableRandom dice = new SplittableRandom(Draws.key(seed, 4));
        boolean elastic = !quorum && dice.nextInt(4) == 0;
        Duration patience = timeout ? Duration.ofNanos(1000 * micros) : null;
        Admission.NonFinite nonFinite =
                random.nextInt(4) == 0 ? Admission.NonFinite.KEEP : Admission.NonFinite.REJECT;
        int batch = between(1, 3);
        OptimizerKind optimizer =
                OptimizerKind.values()[random.nextInt(OptimizerKind.values().length)];
        double momentum = random.nextBoolean() ? 0.9 : 0;
        boolean atServer = random.nextBoolean();
        long rounds = between(1, 6);
        TrainingBuilder drawn =
                new TrainingBuilder("schedule", "", problem, rule, n, f)
                        .partition(null)
                        .attack(attack, attackers)
                        .quorum(q)
                        .roundTimeout(patience)
                        .nonFinite(nonFinite)
                        .batchSize(batch)
                        .learningRate(new Halving(RATE))
                        .optimizer(Optimizer.of(optimizer, atServer ? momentum : 0))
                        .work(new GradientWork(atServer ? 0 : momentum))
                        .rounds(rounds)
                        .evalInterval(between(1, 3))
                        .seed(random.nextLong());
        Variety variety = Variety.of(seed, drawn.build(), elastic);
        training = elastic ? Changes.elastic(variety.training(), RATE, dice) : variety.training();
        changes = elastic ? Changes.of(training, dice) : Changes.NONE;
        spare = Math.max(0, breaks ? 0 : spare);
        int lost = (quorum || timeout) && random.nextInt(4) == 0 ? spare : 0;
        boolean forged = spare > lost && random.nextInt(6) == 0;
        disturbances = disturbances(delay, lost, forged ? spare : 0, elastic);
        subtasks = between(1, 4);
        boolean waits = training.admission().deadline() == null;
        boolean together = training.synchronous() && endsEqual(training.topology());
        comparable = !quorum && together && !tight && lost == 0 && !forged && waits;
    }

    /**
     * True if servers have the same result whichever models close their exchanges. If replicas get
     * the same gradients, the honest ones are equal, and so is their median.
     */
    private static boolean endsEqual(Topology topology) {
        return !topology.remembersTold()
                || topology.readersCombine() && topology.exchange().rule().name().equals("median");
    }

    private Disturbances disturbances(long delay, int lost, int forgers, boolean elastic) {
        boolean overtaking = random.nextInt(4) == 0;
        boolean crashes = random.nextInt(3) > 0;
        return new Disturbances(
                delay,
                overtaking,
                random.nextInt(3) == 0 ? 0.1 : 0,
                !overtaking && random.nextInt(3) == 0 ? 0.1 : 0,
                random.nextInt(3) == 0 ? 0.1 : 0,
                forgers == 0 ? 0 : 0.1,
                forgers,
                lost,
                random.nextInt(3) == 0 ? 0.05 : 0,
                crashes ? 0.008 : 0,
                crashes ? (random.nextInt(4) == 0 ? 0.05 : 0.01) : 0,
                6,
                random.nextBoolean() || elastic);
    }

    /**
     * Runs the schedule.
     *
     * @throws BrokenInvariantException if the protocol violated an invariant; the message ends with
     *     how to run the schedule again
     */
    public Outcome run() {
        try {
            return check(driver().run());
        } catch (RunFailedException e) {
            return Outcome.FAILED;
        } catch (RuntimeException e) {
            throw report(e, toString(), "ScheduleTest", SEED_PROPERTY, seed);
        }
    }

    /** The failure of a schedule; its message ends with how to run it again. */
    static BrokenInvariantException report(
            RuntimeException cause, String schedule, String test, String property, long seed) {
        BrokenInvariantException broken =
                new BrokenInvariantException(
                        "%s, in %s; again: %s with -D%s=%d"
                                .formatted(cause, schedule, test, property, seed));
        broken.initCause(cause);
        return broken;
    }

    /** Runs the schedule again and returns a line per event, up to the failure if it fails. */
    public List<String> trace() {
        List<String> log = new ArrayList<>();
        try {
            driver().logged().run(log);
        } catch (RuntimeException e) {
            log.add(e.toString());
        }
        return log;
    }

    /** Number of servers. */
    public int servers() {
        return training.topology().servers();
    }

    /** True if workers, batch and step size may change. */
    boolean elastic() {
        return training.plan().followsParallelism();
    }

    private RoundDriver driver() {
        return RoundDriver.of(training, seed)
                .slices(slices)
                .gradients(problem)
                .disturbances(disturbances)
                .changes(changes)
                .subtasks(subtasks);
    }

    private Outcome check(DrivenRun run) {
        if (!comparable) {
            return Outcome.DONE;
        }
        if (training.topology().exchanges()) {
            List<float[]> expected =
                    PlainServers.run(
                            training,
                            slices,
                            problem.initialParameters(training.seed()),
                            run.course(),
                            problem);
            for (int server = 0; server < expected.size(); server++) {
                if (!Arrays.equals(expected.get(server), run.models().get(server))) {
                    throw new BrokenInvariantException("server " + server + " ends elsewhere");
                }
            }
            return Outcome.EQUAL;
        }
        float[] plain = plain(run.course());
        for (int server = 0; server < run.models().size(); server++) {
            List<Settings> crashed = untilCrash(server, run.course());
            float[] expected = crashed == run.course() ? plain : plain(crashed);
            if (!Arrays.equals(expected, run.models().get(server))) {
                throw new BrokenInvariantException("a plain loop ends elsewhere");
            }
        }
        return Outcome.EQUAL;
    }

    private float[] plain(List<Settings> course) {
        return PlainLoop.run(
                training,
                slices,
                problem.initialParameters(training.seed()),
                course,
                new SynchronousRows(training, course, slices, problem),
                problem::score);
    }

    /** The settings of the rounds in which a server takes part. */
    private List<Settings> untilCrash(int server, List<Settings> course) {
        for (int round = 0; round < course.size(); round++) {
            if (training.topology().crashed(server, round)) {
                return course.subList(0, round + 1);
            }
        }
        return course;
    }

    @Override
    public String toString() {
        return "n=%s f=%s rule=%s %s %s %s %s %s rounds=%s %s %s%s subtasks=%s %s %s"
                .formatted(
                        training.workers(),
                        training.tolerance(),
                        training.rule().name(),
                        training.attackers(),
                        training.admission(),
                        training.step().optimizer(),
                        training.work(),
                        training.topology(),
                        training.rounds(),
                        slices,
                        training.plan(),
                        elastic() ? " " + changes : "",
                        subtasks,
                        problem,
                        disturbances);
    }
}
