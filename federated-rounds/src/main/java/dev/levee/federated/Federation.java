package dev.levee.federated;

import static dev.levee.operators.rounds.WrongTrainingException.require;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Attack;
import dev.levee.gar.GradientScored;
import dev.levee.gar.rules.Pipeline;
import dev.levee.learners.GenerativeModel;
import dev.levee.learners.Model;
import dev.levee.operators.rounds.Batches;
import dev.levee.operators.rounds.Oracle;
import dev.levee.operators.rounds.RunResult;
import dev.levee.operators.rounds.SampledPlan;
import dev.levee.operators.rounds.ServerResult;
import dev.levee.operators.rounds.Training;
import dev.levee.operators.rounds.TrainingBuilder;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.schedule.LearningRate;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A federated algorithm: who is asked in a round, what devices do, how much each counts, and how
 * the server steps along the mean of what they send.
 *
 * @param sampling who is asked
 * @param perRound how many
 * @param capabilities how fast devices compute
 * @param local what a device does
 * @param weighting how much a device counts
 * @param server the server's step
 * @param serverRate its step size
 * @param privacy what is done so that a run says little of one device
 * @param asynchrony how rounds go without a barrier, null with one
 * @param time how long devices take in virtual time, null if that is not simulated: contributions
 *     of an asynchronous run then count in the order in which they come
 * @param deadline when rounds that have a barrier close in virtual time
 * @param sync which part of the model a round synchronises, null for all of it
 * @param swapping how discriminators change places that stay with the devices, null where devices
 *     train all that the model has
 */
public record Federation(
        Sampling sampling,
        int perRound,
        Capabilities capabilities,
        LocalTraining local,
        Weighting weighting,
        Optimizer server,
        double serverRate,
        Privacy privacy,
        Asynchrony asynchrony,
        VirtualTime time,
        Deadline deadline,
        PartialSync sync,
        Swapping swapping)
        implements Serializable {
    /** An algorithm whose rounds have a barrier, and no virtual time. */
    public Federation(
            Sampling sampling,
            int perRound,
            Capabilities capabilities,
            LocalTraining local,
            Weighting weighting,
            Optimizer server,
            double serverRate,
            Privacy privacy) {
        this(
                sampling,
                perRound,
                capabilities,
                local,
                weighting,
                server,
                serverRate,
                privacy,
                null,
                null,
                Deadline.NONE,
                null,
                null);
    }

    /** An algorithm whose devices train all that the model has. */
    public Federation(
            Sampling sampling,
            int perRound,
            Capabilities capabilities,
            LocalTraining local,
            Weighting weighting,
            Optimizer server,
            double serverRate,
            Privacy privacy,
            Asynchrony asynchrony,
            VirtualTime time,
            Deadline deadline,
            PartialSync sync) {
        this(
                sampling,
                perRound,
                capabilities,
                local,
                weighting,
                server,
                serverRate,
                privacy,
                asynchrony,
                time,
                deadline,
                sync,
                null);
    }

    /**
     * Checks what can be checked without opening the data.
     *
     * @param run as {@link #of} takes it
     * @throws dev.levee.operators.rounds.WrongTrainingException if something is wrong; one
     *     sentence, which names parts of this record and of the run
     */
    public void check(Training run) {
        require(
                perRound >= 1 && perRound <= run.workers(),
                "{perRound} must be from 1 to {workers}, which is %s, got %s",
                run.workers(),
                perRound);
        require(
                weighting == Weighting.EQUAL || run.rule().takesWeights(),
                "{weighting} must be equal for %s, which takes no weights, got %s",
                run.rule().name(),
                weighting.word());
        require(
                !(run.rule() instanceof GradientScored) || !mixes(),
                "{rule} %s scores gradients and differences, not models, which {optimizer} mix takes",
                run.rule().name());
        privacy.check(run, sampling, perRound, weighting);
        if (asynchrony != null) {
            checkAsynchrony(run);
        }
        checkState(run);
        if (swapping != null) {
            checkSwapping(run);
        }
        if (sync != null) {
            checkSync(run);
        }
        require(
                deadline.devices() <= perRound,
                "{minDevices} must be at most {perRound}, which is %s, got %s",
                perRound,
                deadline.devices());
        require(
                time == null || run.admission().deadline() == null,
                "{deadline} is in virtual time where {speed} is given");
        require(
                !privacy.noisy() || deadline.equals(Deadline.NONE),
                "{dpNoise} is for rounds that wait for all whom they ask: leave {deadline} and"
                        + " {minDevices} out");
        int rows = asynchrony == null ? perRound : asynchrony.buffer();
        with(new TrainingBuilder(run).plan(new SampledPlan(rows))).build();
    }

    private void checkAsynchrony(Training run) {
        require(
                sampling.name().equals("uniform"),
                "{sampling} must be uniform in an asynchronous run, where devices that are free"
                        + " pull the model, got %s",
                sampling.name());
        require(
                asynchrony.oracleEvery() == 1 || run.rule() instanceof GradientScored,
                "{oracleEvery} is for rules that are scored by a gradient, such as zeno++, got %s"
                        + " with %s",
                asynchrony.oracleEvery(),
                run.rule().name());
        Attack attack = run.attackers().attack();
        require(
                attack == null || attack.sees() != Attack.Sees.HONEST || asynchrony.buffer() > 1,
                "{attack} %s hides among the honest rows of its round, and with {buffer} 1 there"
                        + " are none",
                attack == null ? "" : attack.name());
        require(
                !(run.rule() instanceof GradientScored)
                        || asynchrony.weight() instanceof StalenessWeight.Constant,
                "{stalenessWeight} must be constant with {rule} %s, which gives all that it takes"
                        + " one length, got %s",
                run.rule().name(),
                asynchrony.weight().name());
        require(
                asynchrony.buffer() <= run.workers(),
                "{buffer} must be at most {workers}, which is %s, got %s",
                run.workers(),
                asynchrony.buffer());
        require(
                !mixes() || asynchrony.buffer() == 1,
                "{buffer} must be 1 where each contribution is mixed into the model, as"
                        + " {optimizer} mix does, got %s",
                asynchrony.buffer());
        require(
                run.admission().timeout() == null && run.admission().deadline() == null,
                "an asynchronous run waits for nobody, so it has neither {roundTimeout} nor"
                        + " {deadline}");
        require(
                deadline.equals(Deadline.NONE),
                "an asynchronous run waits for nobody, so it has neither {deadline} nor"
                        + " {minDevices}");
        require(privacy.none(), "{dpClip} is for rounds with a barrier, not asynchronous ones");
        if (arriving()) {
            checkArriving(run);
        }
    }

    private void checkArriving(Training run) {
        require(
                asynchrony.maxStaleness() >= 1,
                "{maxStaleness} must be at least 1 where contributions count as they come, got %s",
                asynchrony.maxStaleness());
        require(
                asynchrony.buffer() == run.workers()
                        || asynchrony.buffer() <= run.workers() - run.byzantine(),
                "{buffer} must be at most {workers} less {byzantine} = %s, so that silent devices"
                        + " cannot hold a version up, got %s",
                run.workers() - run.byzantine(),
                asynchrony.buffer());
        require(
                !run.rule().needsScores(),
                "{rule} %s scores contributions to the newest model, and without a barrier they"
                        + " answer older ones",
                run.rule().name());
        require(
                asynchrony.recorded() == null || local.state() != LocalState.KEEP,
                "{replay} needs {localState} reset: what a device kept is not in the log");
    }

    /** True if contributions count in the order in which they come, or once came. */
    private boolean arriving() {
        return asynchrony != null && time == null;
    }

    private void checkState(Training run) {
        boolean averaged = local.state() == LocalState.AVERAGE;
        require(
                averaged || !(local.optimizer() instanceof AdaAlter),
                "{localState} must be average for {localOptimizer} adaalter, whose rounds begin with"
                        + " denominators that all devices have, got %s",
                local.state().name().toLowerCase(Locale.ROOT));
        require(
                !averaged || asynchrony == null && privacy.none(),
                "{localState} average is for rounds with a barrier and devices that send all of what"
                        + " they have, without {dpClip}");
        require(
                !averaged || !(run.model() instanceof GenerativeModel),
                "{localState} average is for models that classify, not for {gan}");
        require(
                !averaged || local.optimizer().carried() > 0,
                "{localState} average needs a {localOptimizer} that has something to average, such"
                        + " as adaalter, adam, or sgd with {localMomentum}");
    }

    private void checkSwapping(Training run) {
        require(
                perRound == run.workers()
                        && run.admission().deadline() == null
                        && asynchrony == null
                        && sync == null
                        && !mixes()
                        && deadline.equals(Deadline.NONE),
                "{swapEvery} is for rounds that ask all devices and wait for them, with a server that"
                        + " steps along all of what they send: {perRound} must be %s, without"
                        + " {deadline} and {slices}, got %s",
                run.workers(),
                perRound);
        require(
                local.steps() instanceof LocalSteps.Steps && !local.byCapability(),
                "{swapEvery} needs {localSteps}, as many for every device");
        require(
                local.state() == LocalState.KEEP && local.proximal() == 0 && privacy.none(),
                "{swapEvery} is for discriminators that stay with their devices: {localState} keep,"
                        + " without {proximal} and {dpClip}");
    }

    private void checkSync(Training run) {
        require(
                perRound == run.workers() && run.admission().deadline() == null,
                "{slices} is for rounds that ask all devices and wait for them: {perRound} must be"
                        + " %s, without {deadline}, got %s",
                run.workers(),
                perRound);
        require(
                asynchrony == null && !mixes() && deadline.equals(Deadline.NONE),
                "{slices} is for rounds that have a barrier and no {deadline}, and step along"
                        + " differences");
        require(privacy.none(), "{dpClip} is for devices that send all of what they have changed");
    }

    private boolean mixes() {
        return server instanceof Mixing;
    }

    /**
     * What a run that {@link #of} made knows of its devices.
     *
     * @throws IllegalArgumentException if it is no such run
     */
    public static Devices devices(Training run) {
        return plan(run).devices();
    }

    /**
     * How much each device counts in a run that {@link #of} made.
     *
     * @throws IllegalArgumentException if it is no such run
     */
    public static double[] weights(Training run) {
        return work(run).weights();
    }

    /**
     * Samples that a device computes on in a round of a run that {@link #of} made.
     *
     * @throws IllegalArgumentException if it is no such run
     */
    public static long samples(Training run, int device) {
        return (long) work(run).steps(device) * run.data().batchSize();
    }

    private static FederatedWork work(Training run) {
        if (run.work() instanceof FederatedWork work) {
            return work;
        }
        throw new IllegalArgumentException(run.runId() + " is no federated run");
    }

    /**
     * ε at the δ of this algorithm's privacy after all rounds of a run, empty without noise.
     *
     * @param run as {@link #of} takes it
     */
    public OptionalDouble epsilon(Training run) {
        return privacy.epsilon(sampling, perRound, run.workers(), run.rounds());
    }

    /**
     * ε after all rounds of a run that {@link #of} made, empty without noise.
     *
     * @throws IllegalArgumentException if it is no such run
     */
    public static OptionalDouble spent(Training run) {
        return privacy(run)
                .epsilon(
                        plan(run).sampling(), plan(run).perRound(run), run.workers(), run.rounds());
    }

    /**
     * How private a run is that {@link #of} made.
     *
     * @throws IllegalArgumentException if it is no such run
     */
    public static Privacy privacy(Training run) {
        return work(run).privacy();
    }

    /** True if {@link #of} made this run. */
    public static boolean made(Training run) {
        return run.plan() instanceof AskingPlan && run.work() instanceof FederatedWork;
    }

    /**
     * True if rounds of a run that {@link #of} made take what comes, or what once came, so that
     * reports alone say who was asked.
     *
     * @throws IllegalArgumentException if it is no such run
     */
    public static boolean byArrival(Training run) {
        return plan(run).byArrival();
    }

    /**
     * How much contributions count by their staleness in a run that takes them as they come; empty
     * for any other.
     */
    public static Optional<StalenessWeight> decides(Training run) {
        return run.plan() instanceof ArrivalPlan plan
                ? Optional.of(plan.asynchrony().weight())
                : Optional.empty();
    }

    /**
     * The name of the sampling of a run that {@link #of} made.
     *
     * @throws IllegalArgumentException if it is no such run
     */
    public static String sampling(Training run) {
        return plan(run).sampling().name();
    }

    /**
     * How many of a model's floats the devices of a round send in a run that {@link #of} made.
     *
     * @throws IllegalArgumentException if it is no such run
     */
    public static int floats(Training run, long round) {
        return work(run).floats(run, round);
    }

    /**
     * The rounds of a run that {@link #of} made in virtual time, in order; empty if it has none.
     *
     * @param rounds how many
     * @throws IllegalArgumentException if it is no such run
     */
    public static List<VirtualRound> simulated(Training run, long rounds) {
        return plan(run).simulated(run, rounds);
    }

    /** The model of a run, without what its vector carries behind it while it is trained. */
    public static Model model(Training run) {
        return run.model() instanceof CarryingModel carrying ? carrying.model() : run.model();
    }

    /** The result of a run, its parameters those of its {@link #model}. */
    public static RunResult bare(RunResult result) {
        int own = model(result.training()).layout().size();
        if (result.parameters().length == own) {
            return result;
        }
        ServerResult server = result.servers().get(0);
        return new RunResult(
                result.training(),
                List.of(
                        new ServerResult(
                                server.roundCount(),
                                server.samples(),
                                server.stretch(),
                                server.rounds(),
                                server.evaluations(),
                                server.workers(),
                                server.peers(),
                                server.exchanges(),
                                server.takeovers(),
                                Arrays.copyOf(server.parameters(), own))));
    }

    private static AskingPlan plan(Training run) {
        if (run.plan() instanceof AskingPlan plan) {
            return plan;
        }
        throw new IllegalArgumentException(run.runId() + " is no federated run");
    }

    private TrainingBuilder with(TrainingBuilder run) {
        return run.optimizer(server).learningRate(LearningRate.parse("constant", serverRate, 1));
    }

    /**
     * A run of this algorithm. Opens the data, to count what each device holds.
     *
     * @param run says everything else: model, data, number of devices (its workers), rule, rounds,
     *     batch, seed
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public Training of(Training run) {
        check(run);
        int buffers = run.model().layout().size() - run.model().layout().trainable();
        require(
                !privacy.noisy() || buffers == 0,
                "{dpNoise} is for models without buffers, which are neither clipped nor drowned in"
                        + " noise: {model} %s has %s",
                run.model().name(),
                buffers);
        require(
                !run.rule().refuses() || buffers == 0,
                "{rule} %s is for models without buffers, which would be taken from those that it"
                        + " refuses too: {model} %s has %s",
                run.rule().name(),
                run.model().name(),
                buffers);
        Devices devices = count(run);
        int[] steps = steps(devices, run);
        return with(admitted(run))
                .oracle(oracle(run.oracle()))
                .model(
                        local.carried() == 0
                                ? run.model()
                                : new CarryingModel(run.model(), local.carried()))
                .plan(plan(devices, steps, run.seed()))
                .work(work(run, devices, steps))
                .build();
    }

    /** The run's, which may serve several versions where nobody waits. */
    private Oracle oracle(Oracle own) {
        return own == null || asynchrony == null
                ? own
                : new Oracle(own.uri(), own.batchSize(), asynchrony.oracleEvery());
    }

    /**
     * What a device takes part in that is a process of its own: the work of such a run, on data
     * dealt as there. Who is asked, and what is made of the answers, the job alone knows. Opens the
     * data.
     *
     * @param run as {@link #of} takes it
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public Training outside(Training run) {
        Devices devices = count(run);
        return new TrainingBuilder(run)
                .work(work(run, devices, local.steps(devices, run.data().batchSize())))
                .build();
    }

    /**
     * A run of this algorithm whose devices are processes of their own and hold data that the job
     * does not know. Who holds what is known to nobody, so it is no run that {@link #made} tells
     * from others.
     *
     * @param run says everything else, as {@link #of} takes it; its data only evaluate
     * @param mostSamples that a device may claim to hold
     * @throws dev.levee.operators.rounds.WrongTrainingException if something is wrong; one sentence
     */
    public Training ofOwnData(Training run, int mostSamples) {
        check(run);
        require(
                sampling.name().equals("uniform"),
                "{sampling} must be uniform with {mostSamples}, where nobody knows what devices"
                        + " hold, got %s",
                sampling.name());
        return with(admitted(run))
                .plan(
                        asynchrony == null
                                ? new SampledPlan(perRound)
                                : new ArrivalPlan(null, asynchrony, mixes()))
                .work(new OwnData(mostSamples, weighting))
                .build();
    }

    /** A run whose rounds take what they are to take, each contribution by its staleness. */
    private TrainingBuilder admitted(Training run) {
        TrainingBuilder admitted = new TrainingBuilder(run);
        if (!arriving()) {
            return admitted;
        }
        if (!mixes()) {
            admitted.rule(new Pipeline(List.of(new Fading(asynchrony.weight())), run.rule()));
        }
        return asynchrony.recorded() != null
                ? admitted
                : admitted.quorum(asynchrony.buffer())
                        .most(asynchrony.buffer())
                        .staleness(asynchrony.maxStaleness());
    }

    private Devices count(Training run) {
        Dataset data = Datasets.open(run.data().uri(), Datasets.Split.TRAIN);
        Census census = Census.of(data, Batches.shares(run, data));
        return new Devices(census, capabilities.draw(census.devices(), run.seed()));
    }

    /** One more than those of a discriminator where the last one is the generator's. */
    private int[] steps(Devices devices, Training run) {
        int[] own = local.steps(devices, run.data().batchSize());
        return swapping == null ? own : Arrays.stream(own).map(each -> each + 1).toArray();
    }

    private FederatedWork work(Training run, Devices devices, int[] steps) {
        double[] weights = weighting.weights(devices.census(), steps);
        if (swapping != null) {
            if (run.model() instanceof GenerativeModel model) {
                return new DiscriminatorWork(model, steps, weights, local, swapping, run.seed());
            }
            throw new IllegalArgumentException(
                    run.model().name() + " has no discriminators that could change places");
        }
        return new LocalWork(
                local,
                steps,
                weights,
                privacy,
                run.seed(),
                sent(run.seed()),
                arriving() && local.state() != LocalState.KEEP);
    }

    private AskingPlan plan(Devices devices, int[] steps, long seed) {
        if (arriving()) {
            return asynchrony.recorded() == null
                    ? new ArrivalPlan(devices, asynchrony, mixes())
                    : new RecordedPlan(devices, asynchrony, mixes());
        }
        return asynchrony == null
                ? new DevicePlan(
                        sampling,
                        perRound,
                        devices,
                        time == null
                                ? null
                                : new RoundClock.Law(time, deadline, time.work(steps, seed)))
                : new PullPlan(
                        devices, perRound, asynchrony, time, time.work(steps, seed), mixes());
    }

    private Sent sent(long seed) {
        if (sync != null) {
            return new Sent.Slice(sync, seed);
        }
        if (mixes()) {
            return new Sent.Model();
        }
        return asynchrony == null || arriving()
                ? new Sent.Difference()
                : new Sent.Faded(asynchrony.weight());
    }
}
