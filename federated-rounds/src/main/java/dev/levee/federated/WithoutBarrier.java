package dev.levee.federated;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.federated.devices.Devices;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.plan.ArrivalPlan;
import dev.levee.federated.plan.Asynchrony;
import dev.levee.federated.plan.DecisionLog;
import dev.levee.federated.plan.Fading;
import dev.levee.federated.plan.PullPlan;
import dev.levee.federated.plan.RecordedPlan;
import dev.levee.federated.plan.StalenessWeight;
import dev.levee.federated.plan.VirtualTime;
import dev.levee.federated.steps.LocalState;
import dev.levee.gar.Attack;
import dev.levee.gar.GradientScored;
import dev.levee.gar.rules.Pipeline;
import dev.levee.operators.rounds.SharedValue;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import java.util.List;

/**
 * Rounds without a barrier: a free device pulls the newest model, and rounds do not wait for other
 * devices.
 */
public sealed interface WithoutBarrier extends Timing {
    /** Treatment of contributions. */
    Asynchrony asynchrony();

    @Override
    default int rows(int perRound) {
        return asynchrony().buffer();
    }

    @Override
    default void check(Federation federation, Training run) {
        Asynchrony asynchrony = asynchrony();
        Sampling sampling = federation.participation().sampling();
        require(
                sampling.name().equals("uniform"),
                "{sampling} must be uniform in an asynchronous run, where free devices pull "
                        + "the model, got %s",
                sampling.name());
        boolean scored = run.rule() instanceof GradientScored;
        require(
                asynchrony.oracleEvery() == 1 || scored,
                "{oracleEvery} is for rules that score by a gradient, such as zeno++, got %s "
                        + "with %s",
                asynchrony.oracleEvery(),
                run.rule().name());
        require(
                asynchrony.buffer() > 1
                        || !run.attackers().are(attack -> attack.sees() == Attack.Sees.HONEST),
                "{attack} %s hides among the honest rows of its round, but with {buffer} 1 "
                        + "there are none",
                run.attackers().name());
        require(
                !scored || asynchrony.weight() instanceof StalenessWeight.Constant,
                "{stalenessWeight} must be constant with {rule} %s, which rescales all rows "
                        + "to one length, got %s",
                run.rule().name(),
                asynchrony.weight().name());
        require(
                asynchrony.buffer() <= run.workers(),
                "{buffer} must be at most {workers}, which is %s, got %s",
                run.workers(),
                asynchrony.buffer());
        require(
                !federation.mixes() || asynchrony.buffer() == 1,
                "{buffer} must be 1 with {optimizer} mix, which mixes in one model at a "
                        + "time, got %s",
                asynchrony.buffer());
        require(
                run.admission().waits(),
                "asynchronous runs have no barrier, so {roundTimeout} and {deadline} do not apply");
        require(
                federation.privacy().none(),
                "{dpClip} is for rounds with a barrier, not asynchronous ones");
    }

    /**
     * Rounds in virtual time, in which free devices pull the newest model.
     *
     * @param time the duration of devices' work
     */
    record Pulled(Asynchrony asynchrony, VirtualTime time) implements WithoutBarrier {
        @Override
        public Plan plan(Federation federation, Devices devices, int[] steps) {
            return new PullPlan(
                    devices,
                    federation.participation().perRound(),
                    asynchrony,
                    time,
                    SharedValue.of(steps.clone()),
                    federation.mixes());
        }
    }

    /** Devices are processes of their own, and contributions count in order of arrival. */
    record Arriving(Asynchrony asynchrony) implements WithoutBarrier {
        @Override
        public boolean byArrival() {
            return true;
        }

        @Override
        public void check(Federation federation, Training run) {
            WithoutBarrier.super.check(federation, run);
            requireArrivals(asynchrony, run);
        }

        @Override
        public Plan plan(Federation federation, Devices devices, int[] steps) {
            return new ArrivalPlan(devices, asynchrony, federation.mixes());
        }

        @Override
        public TrainingBuilder admitting(Federation federation, Training run) {
            return faded(asynchrony, federation, run)
                    .quorum(asynchrony.buffer())
                    .most(asynchrony.buffer())
                    .staleness(asynchrony.maxStaleness());
        }

        private static void requireArrivals(Asynchrony asynchrony, Training run) {
            require(
                    asynchrony.maxStaleness() >= 1,
                    "{maxStaleness} must be at least 1 if contributions count as they "
                            + "arrive, got %s",
                    asynchrony.maxStaleness());
            int honest = run.workers() - run.byzantine();
            require(
                    asynchrony.buffer() == run.workers() || asynchrony.buffer() <= honest,
                    "{buffer} must be at most {workers} less {byzantine} = %s, so that "
                            + "silent devices cannot block a version, got %s",
                    honest,
                    asynchrony.buffer());
            require(
                    !run.rule().needsScores(),
                    "{rule} %s scores contributions to the newest model, but without a "
                            + "barrier they answer older ones",
                    run.rule().name());
        }

        /** Lets the server scale contributions, because devices do not know their staleness. */
        private static TrainingBuilder faded(
                Asynchrony asynchrony, Federation federation, Training run) {
            TrainingBuilder builder = new TrainingBuilder(run);
            return federation.mixes()
                    ? builder
                    : builder.rule(
                            new Pipeline(List.of(new Fading(asynchrony.weight())), run.rule()));
        }
    }

    /**
     * Repeats a run of processes inside a job.
     *
     * @param log the decisions of that run
     */
    record Recorded(Asynchrony asynchrony, DecisionLog log) implements WithoutBarrier {
        @Override
        public boolean byArrival() {
            return true;
        }

        @Override
        public void check(Federation federation, Training run) {
            WithoutBarrier.super.check(federation, run);
            Arriving.requireArrivals(asynchrony, run);
            require(
                    federation.local().state() != LocalState.KEEP,
                    "{replay} needs {localState} reset, because the log does not contain "
                            + "devices' state");
        }

        @Override
        public Plan plan(Federation federation, Devices devices, int[] steps) {
            return new RecordedPlan(devices, asynchrony, log, federation.mixes());
        }

        @Override
        public TrainingBuilder admitting(Federation federation, Training run) {
            return Arriving.faded(asynchrony, federation, run);
        }
    }
}
