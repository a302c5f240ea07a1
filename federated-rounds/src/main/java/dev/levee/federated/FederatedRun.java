package dev.levee.federated;

import dev.levee.federated.devices.Devices;
import dev.levee.federated.plan.ArrivalPlan;
import dev.levee.federated.plan.AskingPlan;
import dev.levee.federated.plan.StalenessWeight;
import dev.levee.federated.plan.VirtualRound;
import dev.levee.federated.privacy.Privacy;
import dev.levee.federated.privacy.PrivacyLoss;
import dev.levee.learners.Model;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.ServerResult;
import dev.levee.operators.rounds.training.Training;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The view of a run that a {@link Federation} created, for descriptions and reports. */
public final class FederatedRun {
    private final Training training;
    private final AskingPlan plan;
    private final FederatedWork work;

    private FederatedRun(Training training, AskingPlan plan, FederatedWork work) {
        this.training = training;
        this.plan = plan;
        this.work = work;
    }

    /** The view of a run, empty if {@link Federation#of} did not create it. */
    public static Optional<FederatedRun> find(Training run) {
        return run.plan() instanceof AskingPlan plan && run.work() instanceof FederatedWork work
                ? Optional.of(new FederatedRun(run, plan, work))
                : Optional.empty();
    }

    /**
     * The view of a run.
     *
     * @throws IllegalArgumentException if {@link Federation#of} did not create it
     */
    public static FederatedRun of(Training run) {
        return find(run)
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        run.runId() + " is not a federated run"));
    }

    /** Data about the devices. */
    public Devices devices() {
        return plan.devices();
    }

    /** The weight of each device. */
    public double[] weights() {
        return work.weights();
    }

    /** Number of samples that a device computes on in a round. */
    public long samples(int device) {
        return (long) work.steps(device) * training.data().batchSize();
    }

    /** The privacy loss of a device; empty without noise, because it has no bound then. */
    public Optional<PrivacyLoss> privacyLoss() {
        return privacy().loss(plan.sampling(), plan.perRound(training), training.workers());
    }

    /** The privacy settings. */
    public Privacy privacy() {
        return work.privacy();
    }

    /**
     * True if rounds take contributions as they arrive or as recorded, so only reports contain the
     * devices that were asked.
     */
    public boolean byArrival() {
        return !plan.foreseen();
    }

    /** The name of the sampling. */
    public String sampling() {
        return plan.sampling().name();
    }

    /** Number of a model's floats that a device receives and sends in a round. */
    public int floats(long round) {
        return work.floats(training, round);
    }

    /** Number of bytes that a device sends in a round. */
    public long sentBytes(long round) {
        return work.sentBytes(training, round);
    }

    /**
     * The rounds in virtual time, in order; empty without virtual time.
     *
     * @param rounds number of rounds
     */
    public List<VirtualRound> simulated(long rounds) {
        return plan.simulated(training, rounds);
    }

    /** The weight of contributions by their staleness in an asynchronous run; empty for others. */
    public static Optional<StalenessWeight> decides(Training run) {
        return run.plan() instanceof ArrivalPlan plan
                ? Optional.of(plan.asynchrony().weight())
                : Optional.empty();
    }

    /** The model of any run, without the vectors that follow it during training. */
    public static Model model(Training run) {
        return run.model() instanceof CarryingModel carrying ? carrying.model() : run.model();
    }

    /** The result of any run, with the parameters of its {@link #model}. */
    public static RunResult bare(RunResult result) {
        int own = model(result.training()).layout().size();
        if (result.vector().size() == own) {
            return result;
        }
        ServerResult server = result.servers().get(0);
        return new RunResult(
                result.training(), List.of(server.with(Arrays.copyOf(server.parameters(), own))));
    }
}
