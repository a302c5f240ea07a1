package dev.levee.operators.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.RoundReport;
import dev.levee.operators.Training;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class CoordinatorTest {
    private final List<Instruction> instructions = new ArrayList<>();
    private final List<RoundReport> finished = new ArrayList<>();
    private long now = 1_000_000;

    private Coordinator coordinator(Training training, int blocks) {
        return restored(training, blocks, null);
    }

    private Coordinator restored(Training training, int blocks, CoordinatorState state) {
        Slices slices = new Slices(blocks, blocks, 1);
        Coordinator coordinator =
                new Coordinator(
                        training,
                        slices,
                        state == null ? Coordinator.initial(training, slices) : state,
                        new Coordinator.Output() {
                            @Override
                            public void instruct(Instruction instruction) {
                                instructions.add(instruction);
                            }

                            @Override
                            public void finished(RoundReport report) {
                                finished.add(report);
                            }
                        },
                        () -> now);
        coordinator.restart();
        return coordinator;
    }

    private static ShardReport arrived(long round, int block, int worker, double... measured) {
        return new ShardReport.Arrived(round, block, worker, measured, 1, 1, 2, 3);
    }

    @Test
    void asksForALookAtMapsOverTheRowsAlone() {
        Training training = Runs.of(3, 0).rule("clip(2) | nnm | average").training();
        Coordinator coordinator = coordinator(training, 1);

        coordinator.report(arrived(0, 0, 0, 0, 0, 0, 1));
        coordinator.report(arrived(0, 0, 1, 0, 0, 0, 1));
        coordinator.report(arrived(0, 0, 2, 0, 0, 0, 1));

        assertThat(instructions).hasSize(1);
        Instruction.LookAgain again = (Instruction.LookAgain) instructions.get(0);
        assertThat(again.look().references()).isEmpty();
        assertThat(again.map().points()).isEqualTo(3);
    }

    @Test
    void armsTheTimeoutAnewWhenARestoredRoundHasSomethingToLose() {
        Training training = Runs.of(3, 1).rule("median").timeoutMillis(20).training();
        Coordinator coordinator = coordinator(training, 1);
        coordinator.report(arrived(0, 0, 0));
        coordinator.report(arrived(0, 0, 1));
        assertThat(coordinator.deadline()).hasValue(1_020_000);

        now += 5_000_000;
        Coordinator restored = restored(training, 1, coordinator.snapshot());

        // Nobody else will answer: without a clock the round would stay open for ever.
        assertThat(restored.deadline()).hasValue(now + 20_000);
        restored.tick();
        assertThat(restored.round()).isZero();
        now += 20_000;
        restored.tick();
        assertThat(restored.round()).isEqualTo(1);
    }

    @Test
    void startsTheClockOfAFreshRunWithTheFirstArrival() {
        Training training = Runs.of(3, 1).rule("median").timeoutMillis(20).training();
        Coordinator coordinator = coordinator(training, 1);
        assertThat(coordinator.deadline()).isEmpty();

        now += 60_000_000;
        coordinator.report(arrived(0, 0, 0));
        assertThat(coordinator.deadline()).hasValue(now + 20_000);
    }
}
