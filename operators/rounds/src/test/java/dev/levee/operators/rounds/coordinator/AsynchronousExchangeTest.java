package dev.levee.operators.rounds.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.topology.Contraction;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Reading;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.AttackPlan;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Four servers of which one may lie: an exchange closes with the first three models. */
class AsynchronousExchangeTest {
    private static final Slices SLICES = new Slices(1, 1, 1);
    private static final ShardId SHARD = new ShardId(0, 0);

    /** Of the one worker and, behind it, of the servers. */
    private static final int WORKER = 0;

    private static final int OWN = 1;
    private static final int SECOND = 2;
    private static final int THIRD = 3;
    private static final int SLOW = 4;

    private final List<Instruction> instructions = new ArrayList<>();
    private long now = 1_000_000;

    private static Exchange exchange() {
        return new Exchange(Rules.parse("median"), 1).closingWith(3);
    }

    private static Training training(Topology topology) {
        return new TrainingBuilder("exchange", "strokes:", null, Rules.parse("average"), 1, 0)
                .roundTimeout(Duration.ofSeconds(1))
                .topology(topology)
                .build();
    }

    private static Training training() {
        return training(new Topology(4, Reading.PER_SERVER, exchange()));
    }

    private Coordinator coordinator(CoordinatorState state) {
        return new Coordinator(
                training(),
                Header.run(training().runId()),
                SLICES,
                0,
                state,
                false,
                new RoundOutput() {
                    @Override
                    public void instruct(Instruction instruction) {
                        instructions.add(instruction);
                    }

                    @Override
                    public void finished(RoundReport report) {}
                },
                new Coordinator.Clocks(() -> now, () -> now));
    }

    private static ShardReport arrived(long round, int sender) {
        return new ShardReport.Arrived(round, SHARD, sender, round, 1, new double[0], 1, 1, 2, 3);
    }

    private static void gradients(Coordinator coordinator, long round) {
        coordinator.report(arrived(round, WORKER));
        coordinator.report(new ShardReport.Applied(round, SHARD, 0, 0));
    }

    private int[] closed(long round) {
        return instructions.stream()
                .filter(each -> each.round() == round)
                .map(each -> ((Instruction.Decide) each).rows())
                .findFirst()
                .orElse(null);
    }

    @Test
    void closesWithTheFirstThreeModelsItsOwnAmongThem() {
        Coordinator coordinator = coordinator(CoordinatorState.initial(training(), SLICES, 0));
        gradients(coordinator, 0);
        coordinator.report(arrived(1, SECOND));
        coordinator.report(arrived(1, THIRD));
        now += 60_000_000;
        coordinator.tick();
        assertThat(closed(1)).isNull();
        coordinator.report(arrived(1, OWN));
        assertThat(closed(1)).containsExactly(OWN, SECOND, THIRD);
    }

    @Test
    void waitsForItsOwnModelHoweverManyOthersHaveCome() {
        Coordinator coordinator = coordinator(CoordinatorState.initial(training(), SLICES, 0));
        gradients(coordinator, 0);
        coordinator.report(arrived(1, SECOND));
        coordinator.report(arrived(1, THIRD));
        coordinator.report(arrived(1, SLOW));
        assertThat(closed(1)).isNull();
        coordinator.report(arrived(1, OWN));
        assertThat(closed(1)).containsExactly(OWN, SECOND, THIRD, SLOW);
    }

    /** A timeout that leaves two models is no reason to believe them: one of two may lie. */
    @Test
    void noTimeoutMakesItCloseWithFewer() {
        Coordinator coordinator = coordinator(CoordinatorState.initial(training(), SLICES, 0));
        gradients(coordinator, 0);
        coordinator.report(arrived(1, OWN));
        coordinator.report(arrived(1, SECOND));
        now += 60_000_000;
        coordinator.tick();
        assertThat(closed(1)).isNull();
        assertThat(coordinator.snapshot().open().faults()).isEmpty();
    }

    @Test
    void waitsForTheModelOfTheExchangeBeforeAlsoAfterARestart() {
        Coordinator coordinator = coordinator(CoordinatorState.initial(training(), SLICES, 0));
        for (long round = 0; round < 4; round += 2) {
            gradients(coordinator, round);
            coordinator.report(arrived(round + 1, OWN));
            coordinator.report(arrived(round + 1, SECOND));
            coordinator.report(arrived(round + 1, THIRD));
            coordinator.report(new ShardReport.Applied(round + 1, SHARD, 0, 0));
        }
        assertThat(closed(1)).containsExactly(OWN, SECOND, THIRD);
        assertThat(closed(3)).isNull();

        byte[] remembered = Codecs.COORDINATOR.bytes(coordinator.snapshot());
        Coordinator restored = coordinator(Codecs.COORDINATOR.of(remembered));
        restored.restart();
        restored.report(new ShardReport.Dropped(1, SHARD, SLOW, Rejection.LATE));
        assertThat(closed(3)).containsExactly(OWN, SECOND, THIRD);
        assertThat(restored.counts().get(SLOW).rejected()[Rejection.LATE.ordinal()]).isOne();
    }

    @Test
    void liarsSendOnceTheHonestModelsAreThereThatCloseAnExchangeWithTheirs() {
        Exchange lying =
                new Exchange(
                        Rules.parse("median"),
                        1,
                        3,
                        1,
                        Contraction.NONE,
                        new Attackers(Attacks.parse("little-is-enough"), 1));
        Training training = training(new Topology(4, Reading.PER_SERVER, lying));
        assertThat(AttackPlan.ofServers(training, 0, 1).honestSeen(1, null)).isEqualTo(2);
        Training waiting =
                training(new Topology(4, Reading.PER_SERVER, lying.closingWith(Exchange.ALL)));
        assertThat(AttackPlan.ofServers(waiting, 0, 1).honestSeen(1, null)).isEqualTo(3);
    }

    private static void refused(int servers, int f, int quorum, String sentence) {
        Exchange exchange = new Exchange(Rules.parse("median"), f).closingWith(quorum);
        assertThatThrownBy(() -> training(new Topology(servers, Reading.PER_SERVER, exchange)))
                .isInstanceOf(WrongTrainingException.class)
                .hasMessage(sentence);
    }

    @Test
    void limitsAreOnTheModelsThatCloseAnExchange() {
        refused(
                3,
                1,
                2,
                "serverAggregator median needs n ≥ 2f + 1 of the models that close an exchange:"
                        + " with f = 1 that is a serverQuorum of 3, of at least 4 servers, got 2 of"
                        + " 3");
        refused(
                5,
                2,
                4,
                "serverAggregator median needs n ≥ 2f + 1 of the models that close an exchange:"
                        + " with f = 2 that is a serverQuorum of 5, of at least 7 servers, got 4 of"
                        + " 5");
        refused(
                7,
                2,
                6,
                "serverQuorum must be at most n − f = 5 so that 2 silent servers cannot block"
                        + " an exchange, or n = 7 for synchronous exchanges, got 6");
        assertThatThrownBy(() -> exchange().closingWith(0))
                .hasMessage("serverQuorum must be at least 1, got 0");
        training(new Topology(7, Reading.PER_SERVER, new Exchange(Rules.parse("median"), 2)));
        training(
                new Topology(
                        7,
                        Reading.PER_SERVER,
                        new Exchange(Rules.parse("median"), 2).closingWith(5)));
    }

    /** All of them are all, so such a run is a synchronous one. */
    @Test
    void aQuorumOfAllWaitsForAll() {
        Topology topology = new Topology(4, Reading.PER_SERVER, exchange().closingWith(4));
        assertThat(topology.remembersTold()).isFalse();
        assertThat(topology.mostAhead()).isEqualTo(2);
        Training training = training(topology);
        assertThat(training.settings(0, 1))
                .isEqualTo(
                        training(
                                        new Topology(
                                                4,
                                                Reading.PER_SERVER,
                                                new Exchange(Rules.parse("median"), 1)))
                                .settings(0, 1));
    }
}
