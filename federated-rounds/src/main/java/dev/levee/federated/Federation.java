package dev.levee.federated;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.federated.compression.Compression;
import dev.levee.federated.devices.Census;
import dev.levee.federated.devices.Devices;
import dev.levee.federated.devices.LocalTest;
import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.personal.Personal;
import dev.levee.federated.plan.ArrivalPlan;
import dev.levee.federated.privacy.Privacy;
import dev.levee.federated.privacy.PrivacyLoss;
import dev.levee.federated.steps.Correction;
import dev.levee.federated.steps.LocalState;
import dev.levee.federated.steps.Mixing;
import dev.levee.gar.GradientScored;
import dev.levee.learners.GenerativeModel;
import dev.levee.operators.rounds.participant.Batches;
import dev.levee.operators.rounds.plan.SampledPlan;
import dev.levee.operators.rounds.training.Oracle;
import dev.levee.operators.rounds.training.ServerStep;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Optional;

/**
 * A federated algorithm, given by its parts, each of which checks itself. {@link #of} creates a
 * run, and {@link FederatedRun} finds these parts in a run.
 *
 * @param participation the participants of a round and their weights
 * @param local the devices' training
 * @param server the server's step along the mean of the devices' changes
 * @param privacy how a run hides the contribution of a single device
 * @param timing when contributions count
 * @param scope the part of the model that a round synchronizes
 * @param averaging the values that a round averages
 * @param compression how devices encode their contributions
 */
public record Federation(
        Participation participation,
        LocalTraining local,
        ServerStep server,
        Privacy privacy,
        Timing timing,
        Scope scope,
        Averaging averaging,
        Compression compression)
        implements Serializable {
    /** An algorithm whose devices send their changes uncompressed. */
    public Federation(
            Participation participation,
            LocalTraining local,
            ServerStep server,
            Privacy privacy,
            Timing timing,
            Scope scope,
            Averaging averaging) {
        this(participation, local, server, privacy, timing, scope, averaging, Compression.NONE);
    }

    /** An algorithm whose rounds have a barrier and synchronize all of the model. */
    public Federation(Participation participation, LocalTraining local, ServerStep server) {
        this(
                participation,
                local,
                server,
                Privacy.NONE,
                Timing.BARRIER,
                Scope.WHOLE,
                Averaging.PLAIN);
    }

    /** The same algorithm with another privacy. */
    public Federation with(Privacy other) {
        return new Federation(
                participation, local, server, other, timing, scope, averaging, compression);
    }

    /** The same algorithm with another timing. */
    public Federation with(Timing other) {
        return new Federation(
                participation, local, server, privacy, other, scope, averaging, compression);
    }

    /** The same algorithm with another scope. */
    public Federation with(Scope other) {
        return new Federation(
                participation, local, server, privacy, timing, other, averaging, compression);
    }

    /** The same algorithm with another average. */
    public Federation with(Averaging other) {
        return new Federation(
                participation, local, server, privacy, timing, scope, other, compression);
    }

    /** The same algorithm with another encoding of contributions. */
    public Federation with(Compression other) {
        return new Federation(
                participation, local, server, privacy, timing, scope, averaging, other);
    }

    /**
     * Checks all that can be checked without opening the data.
     *
     * @param run as for {@link #of}
     * @throws dev.levee.operators.rounds.fault.WrongTrainingException if a part is invalid; one
     *     sentence, which names parts of this algorithm and of the run
     */
    public void check(Training run) {
        participation.check(run);
        require(
                !(run.rule() instanceof GradientScored) || !mixes(),
                "{rule} %s scores gradients and differences, but {optimizer} mix combines models",
                run.rule().name());
        privacy.check(run, participation);
        require(
                !privacy.masking().hides() || timing.equals(Timing.BARRIER),
                "{secureSum} is for rounds that wait for all asked devices in real time: "
                        + "masks cancel only in the complete sum");
        require(
                privacy.masking().rates().isEmpty() || addable(),
                "{secureSum} with rates adds up what devices send of the whole model: it"
                        + " excludes {averaging}, {correction}, {localState} average, {slices},"
                        + " {swapEvery} and {optimizer} mix");
        timing.check(this, run);
        require(
                !mixes() || privacy.none(),
                "{dpClip} is for devices that send changes, but with {optimizer} mix they send"
                        + " whole models");
        local.check(this, run);
        scope.check(this, run);
        averaging.check(this, run);
        if (!compression.equals(Compression.NONE)) {
            checkCompressed();
        }
        if (run.model() instanceof GenerativeModel) {
            checkGenerative(run);
        }
        int rows = timing.rows(participation.perRound());
        stepping(new TrainingBuilder(run).plan(new SampledPlan(rows)), run.workers()).build();
    }

    /** True if devices send the change of the whole model. */
    boolean sendsChanges() {
        return scope.equals(Scope.WHOLE) && !mixes();
    }

    /** True if the server steps along the differences of all devices in each round. */
    boolean stepsAlongAll(Training run) {
        return participation.waitsForAll(run) && timing.takesAllAsked() && !mixes();
    }

    /** True if devices send plain differences of the whole model, with known weights. */
    private boolean addable() {
        return sendsChanges()
                && averaging.equals(Averaging.PLAIN)
                && local.correction().equals(Correction.NONE)
                && local.carried() == 0;
    }

    /** Checks an encoding, which needs the whole change and would reveal what noise should hide. */
    private void checkCompressed() {
        require(
                sendsChanges() && privacy.none() && local.correction().equals(Correction.NONE),
                "{compress} %s is for devices that send the change of the whole model as it is,"
                        + " without {slices}, {swapEvery}, {optimizer} mix, {dpClip}, {secureSum}"
                        + " and {correction}",
                compression.name());
    }

    /** Checks a generator and a discriminator, which do not classify and have their own steps. */
    private void checkGenerative(Training run) {
        requireClassifying(!holdsOut(run), "{localTest}");
        requireClassifying(
                compression.equals(Compression.NONE), "{compress} " + compression.name());
        requireClassifying(averaging.equals(Averaging.PLAIN), "{averaging} " + averaging.name());
        requireClassifying(!local.steps().none(), "{localSteps} 0");
        requireClassifying(local.state() != LocalState.AVERAGE, "{localState} average");
        requireClassifying(
                local.correction().equals(Correction.NONE),
                "{correction} " + local.correction().name());
        requireClassifying(
                local.personal().equals(Personal.NONE), "{personal} " + local.personal().name());
    }

    private static void requireClassifying(boolean without, String part) {
        require(without, part + " is for classification models, not for {gan}");
    }

    private static int buffers(Training run) {
        return run.model().layout().size() - run.model().layout().trainable();
    }

    /** True if the server mixes models into its own, instead of stepping along differences. */
    boolean mixes() {
        return server.optimizer() instanceof Mixing;
    }

    private TrainingBuilder stepping(TrainingBuilder run, int devices) {
        double share = (double) participation.perRound() / devices;
        return run.optimizer(local.correction().server(server.optimizer(), share))
                .learningRate(server.learningRate())
                .masking(privacy.masking());
    }

    /**
     * The privacy loss of a device; empty without noise, because it has no bound then.
     *
     * @param run as for {@link #of}
     */
    public Optional<PrivacyLoss> privacyLoss(Training run) {
        return privacy.loss(participation.sampling(), participation.perRound(), run.workers());
    }

    /**
     * Creates a run of this algorithm. Opens the data, to count the samples of each device.
     *
     * @param run defines all else: model, data, number of devices (its workers), rule, rounds,
     *     batch, seed
     * @throws IllegalArgumentException if a part is invalid; one sentence
     */
    public Training of(Training run) {
        check(run);
        int buffers = buffers(run);
        privacy.checkModel(run.model().name(), buffers);
        local.personal().check(run.model().layout());
        require(
                compression.equals(Compression.NONE)
                        || local.personal().unsent(run.model().layout()) == 0,
                "{compress} %s is for devices that send all layers, without {personal} %s",
                compression.name(),
                local.personal().name());
        require(
                !run.rule().refuses() || buffers == 0,
                "{rule} %s is for models without buffers, because it would also use the "
                        + "buffers of refused rows: {model} %s has %s",
                run.rule().name(),
                run.model().name(),
                buffers);
        Devices devices = count(run);
        int[] steps = steps(devices, run);
        return stepping(timing.admitting(this, run), run.workers())
                .oracle(oracle(run.oracle()))
                .model(
                        local.carried() == 0
                                ? run.model()
                                : new CarryingModel(run.model(), local.carried()))
                .plan(timing.plan(this, devices, steps))
                .work(work(run, devices, steps))
                .build();
    }

    /**
     * The work of a device in a process of its own, with the same partition of data as in the job.
     * Only the job knows which devices are asked and how their answers are combined. Opens the
     * data.
     *
     * @param run as for {@link #of}
     * @throws IllegalArgumentException if a part is invalid; one sentence
     */
    public Training outside(Training run) {
        local.personal().check(run.model().layout());
        Devices devices = count(run);
        TrainingBuilder outside = new TrainingBuilder(run);
        if (privacy.masking().rates().isPresent()) {
            // The number of asked devices determines how many a device must see in a sum.
            outside.plan(new SampledPlan(participation.perRound()));
        }
        return outside.masking(privacy.masking())
                .work(work(run, devices, local.steps(devices, run.data().batchSize())))
                .build();
    }

    /**
     * Creates a run of this algorithm whose devices are processes of their own with data that the
     * job does not know. {@link FederatedRun#find} finds nothing in it, because the devices' data
     * are unknown.
     *
     * @param run defines all else, as for {@link #of}; its data are only for evaluation
     * @param mostSamples largest number of samples that a device may claim to hold
     * @throws dev.levee.operators.rounds.fault.WrongTrainingException if a part is invalid; one
     *     sentence
     */
    public Training ofOwnData(Training run, int mostSamples) {
        check(run);
        privacy.checkModel(run.model().name(), buffers(run));
        local.personal().check(run.model().layout());
        require(
                !privacy.masking().hides() || participation.weighting() == Weighting.EQUAL,
                "{weighting} must be equal with {secureSum} and {mostSamples}, because no device"
                        + " knows the data of the others, got %s",
                participation.weighting().word());
        Sampling sampling = participation.sampling();
        require(
                sampling.name().equals("uniform"),
                "{sampling} must be uniform with {mostSamples}, because the job does not know the"
                        + " devices' data, got %s",
                sampling.name());
        return stepping(timing.admitting(this, run), run.workers())
                .plan(
                        timing instanceof WithoutBarrier free
                                ? new ArrivalPlan(null, free.asynchrony(), mixes())
                                : new SampledPlan(participation.perRound()))
                .work(
                        new OwnData(
                                mostSamples,
                                participation.weighting(),
                                privacy.stated(1, 1, participation.perRound()),
                                local.scores() || holdsOut(run)))
                .build();
    }

    /**
     * The run's oracle; without a barrier, several versions may use the same gradient of the
     * server.
     */
    private Oracle oracle(Oracle own) {
        return own != null && timing instanceof WithoutBarrier free
                ? new Oracle(own.uri(), own.batchSize(), free.asynchrony().oracleEvery())
                : own;
    }

    private Devices count(Training run) {
        Dataset data = Datasets.open(run.data().uri(), Datasets.Split.TRAIN);
        Census census = Census.of(data, Batches.shares(run, data));
        return new Devices(census, participation.capabilities().draw(census.devices(), run.seed()));
    }

    /** Number of steps of each device; with discriminators, one more for the generator. */
    private int[] steps(Devices devices, Training run) {
        int[] own = local.steps(devices, run.data().batchSize());
        return scope instanceof Swapping ? Arrays.stream(own).map(each -> each + 1).toArray() : own;
    }

    private FederatedWork work(Training run, Devices devices, int[] steps) {
        double[] weights = participation.weighting().weights(devices.census(), steps);
        if (scope instanceof Swapping swapping) {
            if (run.model() instanceof GenerativeModel model) {
                return new DiscriminatorWork(model, steps, weights, local, swapping, run.seed());
            }
            throw new IllegalArgumentException(
                    run.model().name() + " has no discriminators to swap");
        }
        return new LocalWork(
                local,
                steps,
                weights,
                participation.perRound(),
                privacy,
                run.seed(),
                compressed(run, sent(run.seed(), steps, weights)),
                timing.byArrival() && local.state() != LocalState.KEEP,
                run.model(),
                local.scores() || holdsOut(run));
    }

    private static boolean holdsOut(Training run) {
        return run.data().partition() instanceof LocalTest;
    }

    private Upload compressed(Training run, Upload whole) {
        return compression.equals(Compression.NONE)
                ? whole
                : new Upload.Compressed(whole, compression, run.model().layout(), run.seed());
    }

    private Upload sent(long seed, int[] steps, double[] weights) {
        if (scope instanceof PartialSync sync) {
            return new Upload.Slice(sync, seed);
        }
        if (mixes()) {
            return new Upload.Model();
        }
        return timing instanceof WithoutBarrier.Pulled pulled
                ? new Upload.Faded(pulled.asynchrony().weight())
                : averaging.sent(local, steps, weights);
    }
}
