package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.federated.devices.Capabilities;
import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.federated.plan.Asynchrony;
import dev.levee.federated.plan.StalenessWeight;
import dev.levee.federated.plan.VirtualTime;
import dev.levee.federated.steps.AdaAlter;
import dev.levee.federated.steps.LocalState;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.federated.steps.ServerSteps;
import dev.levee.gar.Attacks;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.sequential.SequentialRun;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.driver.RoundDriver;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Federated runs in one thread end with the bits of the protocol. */
class SequentialFederationTest {
    private static final int ROUNDS = 25;

    /** Returns the number of contributions that the thread computed. */
    private static int check(Training training) throws Exception {
        float[] parameters;
        AtomicInteger computed = new AtomicInteger();
        SequentialRun.Watcher watcher =
                new SequentialRun.Watcher() {
                    @Override
                    public void computed() {
                        computed.incrementAndGet();
                    }
                };
        try (SequentialRun run = new SequentialRun(training, watcher)) {
            parameters = run.run().parameters();
        }
        try (LearnedGradients gradients = new LearnedGradients(training)) {
            assertThat(
                            RoundDriver.of(training, 4)
                                    .gradients(gradients)
                                    .disturbances(Disturbances.delays(300))
                                    .run()
                                    .parameters())
                    .isEqualTo(parameters);
        }
        return computed.get();
    }

    @Test
    void sampledDevicesOfWhomSomeAttack() throws Exception {
        check(
                FederatedRuns.averaging("balanced", 6, new LocalSteps.Epochs(1))
                        .of(
                                FederatedRuns.run(ROUNDS)
                                        .attack(Attacks.parse("sign-flip"), 3)
                                        .build()));
    }

    @Test
    void whatTravelsBehindTheModel() throws Exception {
        check(
                new Federation(
                                new Participation(Sampling.parse("uniform"), 20, Weighting.SAMPLES),
                                new LocalTraining(
                                        new LocalSteps.Steps(3),
                                        false,
                                        new AdaAlter(1),
                                        LearningRate.parse("constant", 0.5, ROUNDS),
                                        0,
                                        LocalState.AVERAGE),
                                ServerSteps.parse("yogi", 0.02))
                        .of(FederatedRuns.run(ROUNDS).build()));
    }

    @Test
    void devicesThatPullInVirtualTime() throws Exception {
        int buffer = 2;
        Training training =
                FederatedRuns.averaging("uniform", 6, new LocalSteps.Steps(3))
                        .with(
                                new WithoutBarrier.Pulled(
                                        new Asynchrony(
                                                buffer,
                                                StalenessWeight.parse("polynomial(0.5)"),
                                                7),
                                        new VirtualTime(Capabilities.parse("lognormal(1)"), 0.7)))
                        .of(FederatedRuns.run(ROUNDS).build());
        assertThat(check(training)).isEqualTo(buffer * ROUNDS);
    }

    /** Some buffers hold rows of attackers only, who then send honest rows. */
    @Test
    void attackersThatPullSeeTheHonestRowsOfTheirRound() throws Exception {
        check(
                FederatedRuns.averaging("uniform", 6, new LocalSteps.Steps(3))
                        .with(
                                new WithoutBarrier.Pulled(
                                        new Asynchrony(
                                                2, StalenessWeight.parse("polynomial(0.5)"), 7),
                                        new VirtualTime(Capabilities.parse("lognormal(1)"), 0.7)))
                        .of(
                                FederatedRuns.run(ROUNDS)
                                        .attack(Attacks.parse("fall-of-empires"), 10)
                                        .build()));
    }

    @Test
    void roundsThatCloseByTheClockNeedAJob() {
        Training training =
                FederatedRuns.averaging("uniform", 6, new LocalSteps.Steps(3))
                        .of(
                                FederatedRuns.run(ROUNDS)
                                        .roundTimeout(null)
                                        .deadline(Duration.ofSeconds(1))
                                        .build());
        assertThatThrownBy(() -> SequentialRun.check(training))
                .isInstanceOf(WrongTrainingException.class)
                .hasMessageStartingWith("deadline in real time needs a job of its own");
    }
}
