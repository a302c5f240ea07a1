package dev.levee.operators.rounds.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.BlockKernels;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Rules;
import dev.levee.gar.Step;
import dev.levee.learners.ParticipantException;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Control;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.GradientCost;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.fault.CodeFault;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.report.RoundTrace;
import dev.levee.operators.rounds.shard.ParameterBlock;
import dev.levee.operators.rounds.shard.Shard;
import dev.levee.operators.rounds.shard.ShardState;
import dev.levee.operators.rounds.topology.Contraction;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Reading;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Runs;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.vector.ModelDigest;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

class CoordinatorTest {
    /** The average, which notes how old the rows are, and may refuse every round. */
    private record Ageing(List<int[]> ages, boolean picky) implements Rule {
        private static final Rule AVERAGE = Rules.parse("average");

        @Override
        public void check(Round round) {
            if (picky) {
                throw new IllegalArgumentException("ageing takes no rounds");
            }
        }

        @Override
        public String name() {
            return "ageing";
        }

        @Override
        public int minimumRows(int f) {
            return 1;
        }

        @Override
        public String limit() {
            return "n ≥ 1";
        }

        @Override
        public Look look() {
            return AVERAGE.look();
        }

        @Override
        public Step decide(
                int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
            ages.add(round.ages());
            return AVERAGE.decide(phase, mixed, looked, round, state);
        }
    }

    /** The first round after a start may take this much longer, in microseconds. */
    private static final long GRACE = 10_000_000;

    private static final long SILENCE = 300_000_000;

    private final List<Instruction> instructions = new ArrayList<>();
    private final List<RoundReport> finished = new ArrayList<>();
    private final List<RoundTrace> traced = new ArrayList<>();
    private long now = 1_000_000;

    /** What the wall clock says beyond the monotonic one. */
    private long wall;

    private Coordinator coordinator(Training training, int blocks) {
        return restored(training, blocks, null);
    }

    private Coordinator restored(Training training, int blocks, CoordinatorState state) {
        return coordinator(training, blocks, state, false);
    }

    private Coordinator coordinator(
            Training training, int blocks, CoordinatorState state, boolean patient) {
        Slices slices = new Slices(blocks, blocks, 1);
        Coordinator coordinator =
                new Coordinator(
                        training,
                        Header.run(training.runId()),
                        slices,
                        0,
                        state == null ? CoordinatorState.initial(training, slices, 0) : state,
                        patient,
                        new RoundOutput() {
                            @Override
                            public void instruct(Instruction instruction) {
                                instructions.add(instruction);
                            }

                            @Override
                            public void finished(RoundReport report) {
                                finished.add(report);
                            }

                            @Override
                            public void traced(RoundReport report, RoundTrace trace) {
                                traced.add(trace);
                            }
                        },
                        new Coordinator.Clocks(() -> now + wall, () -> now));
        coordinator.restart();
        return coordinator;
    }

    private static ShardReport arrived(long round, int block, int worker, double... measured) {
        return new ShardReport.Arrived(
                round, new ShardId(0, block), worker, round, 1, measured, 1, 1, 2, 3);
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
    void tellsWhatALogKeepsOfARoundAlsoAfterARestore() {
        Training training = Runs.of(3, 1).rule("median").audited().training();
        Coordinator coordinator = coordinator(training, 2);
        for (int worker = 0; worker < 3; worker++) {
            coordinator.report(arrived(0, 0, worker));
            coordinator.report(arrived(0, 1, worker));
        }
        coordinator.report(
                new ShardReport.Applied(
                        0,
                        new ShardId(0, 1),
                        1,
                        1,
                        new LookResult(3, new double[] {0, 4, 0}, new double[0]),
                        new byte[] {8}));
        Coordinator restored = restored(training, 2, coordinator.snapshot());
        assertThat(traced).isEmpty();
        restored.report(
                new ShardReport.Applied(
                        0,
                        new ShardId(0, 0),
                        1,
                        1,
                        new LookResult(3, new double[] {1, 0, 9}, new double[0]),
                        new byte[] {7}));

        // Distances of 0 and 1, 0 and 2, 1 and 2 are 1, 2 and 3; of two others one is near.
        assertThat(traced).hasSize(1);
        assertThat(traced.get(0).distances()).containsExactly(1, 1, 2);
        assertThat(traced.get(0).asked()).containsExactly(0, 1, 2);
        assertThat(traced.get(0).losses()).containsExactly(1, 1, 1);
        assertThat(traced.get(0).model())
                .isEqualTo(ModelDigest.ofBlocks(List.of(new byte[] {7}, new byte[] {8})));
    }

    @Test
    void whoMeasuresRowsAsTheyArriveNeedsNoOtherLookForALog() {
        Training training = Runs.of(3, 1).rule("mda").audited().training();
        Coordinator coordinator = coordinator(training, 1);
        coordinator.report(arrived(0, 0, 0, 0, 0, 0));
        coordinator.report(arrived(0, 0, 1, 1, 0, 0));
        coordinator.report(arrived(0, 0, 2, 4, 9, 0));
        coordinator.report(
                new ShardReport.Applied(0, new ShardId(0, 0), 1, 1, null, new byte[] {7}));
        assertThat(traced.get(0).distances()).containsExactly(1, 1, 2);
    }

    @Test
    void armsTheTimeoutAnewWhenARestoredRoundHasSomethingToLose() {
        Training training = Runs.of(3, 1).rule("median").timeoutMillis(20).training();
        Coordinator coordinator = coordinator(training, 1);
        coordinator.report(arrived(0, 0, 0));
        coordinator.report(arrived(0, 0, 1));
        assertThat(coordinator.deadline()).hasValue(1_020_000 + GRACE);

        now += 5_000_000;
        Coordinator restored = restored(training, 1, coordinator.snapshot());

        // Nobody else will answer: without a clock the round would stay open for ever.
        assertThat(restored.deadline()).hasValue(now + 20_000 + GRACE);
        restored.tick();
        assertThat(restored.round()).isZero();
        now += 20_000 + GRACE;
        restored.tick();
        assertThat(restored.round()).isEqualTo(1);
    }

    @Test
    void startsTheClockOfAFreshRunWithTheFirstArrival() {
        Training training = Runs.of(3, 1).rule("median").timeoutMillis(20).training();
        Coordinator coordinator = coordinator(training, 1);
        assertThat(coordinator.deadline()).hasValue(now + SILENCE);

        now += 60_000_000;
        coordinator.report(arrived(0, 0, 0));
        assertThat(coordinator.deadline()).hasValue(now + 20_000 + GRACE);
    }

    private static int[] rows(Instruction instruction) {
        return ((Instruction.OfRows) instruction).rows();
    }

    private static ShardReport dropped(long round, int worker, Rejection reason) {
        return new ShardReport.Dropped(round, new ShardId(0, 0), worker, reason);
    }

    private static long rejected(Coordinator coordinator, int worker, Rejection reason) {
        return coordinator.counts().get(worker).rejected()[reason.ordinal()];
    }

    @Test
    void closesASynchronousRoundWithTheLastBlockOfTheLastWorker() {
        Coordinator coordinator = coordinator(Runs.of(2, 0).training(), 2);
        coordinator.report(arrived(0, 0, 0));
        coordinator.report(arrived(0, 1, 1));
        coordinator.report(arrived(0, 1, 0));
        assertThat(instructions).isEmpty();
        coordinator.report(arrived(0, 0, 1));

        assertThat(instructions)
                .extracting(Instruction::shard)
                .containsExactly(new ShardId(0, 0), new ShardId(0, 1));
        assertThat(instructions).allMatch(i -> i.round() == 0 && rows(i).length == 2);
        assertThat(coordinator.round()).isEqualTo(1);
        assertThat(coordinator.counts().get(1).accepted()).isEqualTo(1);
        assertThat(coordinator.counts().get(1).selected()).isEqualTo(1);
    }

    /** A job over Kafka may be restored to before a shard applied what has been published since. */
    @Test
    void goesOnWhenAShardHasAdoptedTheVersionItWaitsFor() {
        Training training = Runs.of(1, 0).training();
        Coordinator decided = coordinator(training, 1);
        decided.report(arrived(0, 0, 0));
        Coordinator restored = restored(training, 1, decided.snapshot());
        restored.report(arrived(1, 0, 0));
        assertThat(restored.round()).isEqualTo(1);

        ShardState published =
                ShardState.opening(
                        training,
                        0,
                        1,
                        training.settings(0, 1),
                        new ParameterBlock(new float[1], new float[0][], null));
        shard(training, published, restored::report).adopted();

        assertThat(restored.round()).isEqualTo(2);
        assertThat(finished).extracting(RoundReport::round).containsExactly(0L);
    }

    private static Shard shard(Training training, ShardState state, Consumer<ShardReport> reports) {
        return new Shard(
                training,
                1,
                new Slices(1, 1, 1),
                new ShardId(0, 0),
                state,
                new Shard.Output() {
                    @Override
                    public void model(ModelBlock block) {}

                    @Override
                    public void report(ShardReport report) {
                        reports.accept(report);
                    }

                    @Override
                    public void late(GradientBlock gradient) {}
                },
                () -> 0);
    }

    @Test
    void reportsARoundOnceAllBlocksHaveAppliedIt() {
        Coordinator coordinator = coordinator(Runs.of(1, 0).training(), 2);
        coordinator.report(arrived(0, 0, 0));
        coordinator.report(arrived(0, 1, 0));
        coordinator.report(new ShardReport.Applied(0, new ShardId(0, 1), 10, 10));
        coordinator.report(new ShardReport.Applied(0, new ShardId(0, 1), 10, 10));
        assertThat(finished).isEmpty();
        now += 500;
        coordinator.report(new ShardReport.Applied(0, new ShardId(0, 0), 10, 10));
        coordinator.report(new ShardReport.Applied(0, new ShardId(0, 0), 10, 10));

        assertThat(finished).hasSize(1);
        assertThat(finished.get(0).round()).isZero();
        assertThat(finished.get(0).rows()).containsExactly(0);
        assertThat(finished.get(0).loss()).isEqualTo(1);
        assertThat(finished.get(0).learningRate()).isEqualTo(0.5);
    }

    @Test
    void closesWithTheFastestQuorumAndCountsTheRestAsLate() {
        Coordinator coordinator = coordinator(Runs.of(3, 1).quorum(2).training(), 1);
        coordinator.report(arrived(0, 0, 2));
        coordinator.report(arrived(0, 0, 0));
        assertThat(rows(instructions.get(0))).containsExactly(0, 2);

        coordinator.report(arrived(0, 0, 1));
        coordinator.report(arrived(0, 0, 1));
        coordinator.report(arrived(0, 0, 2));
        assertThat(rejected(coordinator, 1, Rejection.LATE)).isEqualTo(1);
        assertThat(rejected(coordinator, 2, Rejection.LATE)).isZero();
    }

    @Test
    void aRoundHasMoreRowsThanItsQuorumIfTheyArriveBeforeItMayClose() {
        Coordinator coordinator = coordinator(Runs.of(5, 1).quorum(4).training(), 1);
        for (int worker = 0; worker < 4; worker++) {
            coordinator.report(arrived(0, 0, worker));
        }
        for (int worker = 0; worker < 5; worker++) {
            coordinator.report(arrived(1, 0, worker));
        }
        apply(coordinator, 0, 1);
        assertThat(rows(instructions.get(instructions.size() - 1))).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void aRoundWaitsForTheWorkerThatTheRuleTrusts() {
        Coordinator coordinator = coordinator(Runs.of(3, 0).rule("monna").quorum(2).training(), 1);
        coordinator.report(arrived(0, 0, 2));
        coordinator.report(arrived(0, 0, 1));
        assertThat(instructions).isEmpty();
        coordinator.report(arrived(0, 0, 0));
        assertThat(rows(instructions.get(0))).containsExactly(0, 1, 2);
    }

    @Test
    void aRoundThatTheTrustedWorkerCannotJoinStopsTheRun() {
        Coordinator coordinator = coordinator(Runs.of(3, 1).rule("monna").training(), 1);
        coordinator.report(dropped(0, 0, Rejection.NON_FINITE));
        coordinator.report(arrived(0, 0, 2));
        assertThatThrownBy(() -> coordinator.report(arrived(0, 0, 1)))
                .isInstanceOf(RunFailedException.class)
                .hasMessage("round 0 has no gradient of w0, which monna trusts");
    }

    @Test
    void goesOnWithoutProvenFaultsAsLongAsThereAreAtMostF() {
        Coordinator coordinator = coordinator(Runs.of(4, 2).training(), 1);
        coordinator.report(dropped(0, 3, Rejection.NON_FINITE));
        coordinator.report(arrived(0, 0, 0));
        coordinator.report(dropped(0, 1, Rejection.WRONG_SIZE));
        coordinator.report(arrived(0, 0, 2));

        assertThat(rows(instructions.get(0))).containsExactly(0, 2);
        coordinator.report(new ShardReport.Applied(0, new ShardId(0, 0), 1, 1));
        assertThat(finished.get(0).faults()).containsExactly(1, 3);
        assertThat(rejected(coordinator, 3, Rejection.NON_FINITE)).isEqualTo(1);
    }

    @Test
    void saysWhoFailedAndHow() {
        Coordinator coordinator =
                coordinator(Runs.of(4, 1).rule("median").timeoutMillis(30).training(), 1);
        coordinator.report(arrived(0, 0, 0));
        coordinator.report(dropped(0, 3, Rejection.NON_FINITE));
        coordinator.report(arrived(0, 0, 2));
        now += 30_000 + GRACE;
        assertThatThrownBy(coordinator::tick)
                .isInstanceOf(RunFailedException.class)
                .hasMessage(
                        "round 0 has more proven faults than f = 1: worker 1 (had not answered"
                                + " after 30 ms), worker 3 (sent NaN or infinity); if they are honest,"
                                + " the model has diverged");
    }

    @Test
    void saysWhyTheFirstWorkersCodeFailed() {
        Coordinator coordinator = coordinator(Runs.of(4, 1).training(), 1);
        for (int worker : new int[] {3, 2}) {
            String message = "worker " + worker + "'s interpreter exited";
            ParticipantException fault = new ParticipantException(message, null);
            coordinator.report(new ShardReport.Raised(0, CodeFault.of(0, worker, fault)));
        }
        coordinator.report(dropped(0, 3, Rejection.NON_FINITE));
        assertThatThrownBy(() -> coordinator.report(dropped(0, 2, Rejection.NON_FINITE)))
                .isInstanceOf(RunFailedException.class)
                .hasMessage(
                        "round 0 has more proven faults than f = 1: worker 2 (sent NaN or"
                                + " infinity), worker 3 (sent NaN or infinity); worker 2:"
                                + " worker 2's interpreter exited");
    }

    @Test
    void duplicatesAndLateOnesProveNothing() {
        Coordinator coordinator = coordinator(Runs.of(2, 0).training(), 1);
        coordinator.report(dropped(0, 0, Rejection.DUPLICATE));
        coordinator.report(dropped(0, 1, Rejection.STALE));
        coordinator.report(dropped(0, -1, Rejection.UNKNOWN_WORKER));
        coordinator.report(dropped(-1, 0, Rejection.NON_FINITE));
        assertThat(rejected(coordinator, 2, Rejection.UNKNOWN_WORKER)).isEqualTo(1);
        coordinator.report(arrived(0, 0, 0));
        coordinator.report(arrived(0, 0, 1));
        assertThat(rows(instructions.get(0))).containsExactly(0, 1);
    }

    @Test
    void aTimeoutDoesWithoutTheMissing() {
        Coordinator coordinator =
                coordinator(Runs.of(3, 1).rule("median").timeoutMillis(30).training(), 1);
        coordinator.report(arrived(0, 0, 0));
        coordinator.report(arrived(0, 0, 2));
        now += 29_999 + GRACE;
        coordinator.tick();
        assertThat(instructions).isEmpty();
        now += 1;
        coordinator.tick();

        assertThat(rows(instructions.get(0))).containsExactly(0, 2);
        assertThat(rejected(coordinator, 1, Rejection.MISSING)).isEqualTo(1);
        // The next round's clock starts when its model is out.
        assertThat(coordinator.deadline()).isEmpty();
        coordinator.report(new ShardReport.Applied(0, new ShardId(0, 0), 1, 1));
        assertThat(coordinator.deadline()).hasValue(now + 30_000);
        coordinator.report(arrived(0, 0, 1));
        assertThat(rejected(coordinator, 1, Rejection.LATE)).isEqualTo(1);
    }

    @Test
    void aPatientCoordinatorWaitsForAllButF() {
        Training training = Runs.of(4, 1).rule("median").timeoutMillis(30).training();
        Coordinator coordinator = coordinator(training, 1, null, true);
        coordinator.report(arrived(0, 0, 0));
        coordinator.report(arrived(0, 0, 2));
        now += 30_000 + GRACE;
        coordinator.tick();
        assertThat(instructions).isEmpty();
        assertThat(coordinator.deadline()).hasValue(now - 30_000 - GRACE + SILENCE);

        now += 500_000;
        coordinator.report(arrived(0, 0, 3));
        assertThat(instructions).isEmpty();
        now += 30_000 + GRACE;
        coordinator.tick();
        assertThat(rows(instructions.get(0))).containsExactly(0, 2, 3);
        assertThat(rejected(coordinator, 1, Rejection.MISSING)).isEqualTo(1);
    }

    @Test
    void goesOnFromTheMemoryOfAVersion() {
        Training training = Runs.of(3, 0).rule("median").rounds(50).training();
        Coordinator first = coordinator(training, 1);
        first.report(new ShardReport.Refused(0, 1, Rejection.FORGED, 7));
        first.report(new ShardReport.Refused(0, -1, Rejection.MALFORMED, 2));
        CoordinatorMemory memory = new CoordinatorMemory(12, RuleState.NONE, first.counts(), null);
        Coordinator adopted =
                restored(
                        training,
                        1,
                        CoordinatorState.adopted(training, new Slices(1, 1, 1), 0, memory));
        assertThat(adopted.round()).isEqualTo(12);
        assertThat(rejected(adopted, 1, Rejection.FORGED)).isEqualTo(7);
        assertThat(adopted.counts().get(3).rejected()[Rejection.MALFORMED.ordinal()]).isEqualTo(2);
        for (int worker = 0; worker < 3; worker++) {
            adopted.report(arrived(12, 0, worker));
        }
        assertThat(instructions.get(instructions.size() - 1).round()).isEqualTo(12);
    }

    @Test
    void aContradictionIsAProvenFault() {
        Training training = Runs.of(4, 1).rule("median").training();
        Coordinator coordinator = coordinator(training, 1);
        for (int worker = 0; worker < 3; worker++) {
            coordinator.report(arrived(0, 0, worker));
        }
        coordinator.report(
                new ShardReport.Dropped(0, new ShardId(0, 0), 1, Rejection.CONTRADICTORY));
        coordinator.report(arrived(0, 0, 3));
        assertThat(rows(instructions.get(0))).containsExactly(0, 2, 3);
    }

    @Test
    void aTimeoutOfAQuorumWaitsForEnoughForTheRule() {
        Coordinator coordinator =
                coordinator(Runs.of(6, 1).quorum(5).rule("median").timeoutMillis(30).training(), 1);
        coordinator.report(arrived(0, 0, 5));
        coordinator.report(arrived(0, 0, 3));
        now += 30_000 + GRACE;
        coordinator.tick();
        assertThat(instructions).isEmpty();

        // The median needs 2f + 1 = 3 rows; the timeout has passed, in a restored run too.
        coordinator =
                restored(
                        Runs.of(6, 1).quorum(5).rule("median").timeoutMillis(30).training(),
                        1,
                        coordinator.snapshot());
        assertThat(coordinator.deadline()).hasValue(now + SILENCE);
        coordinator.report(arrived(0, 0, 0));
        assertThat(rows(instructions.get(0))).containsExactly(0, 3, 5);
        assertThat(rejected(coordinator, 1, Rejection.MISSING)).isZero();
    }

    @Test
    void repeatsItsLastInstructionAfterARestart() {
        Training training = Runs.of(1, 0).training();
        Coordinator coordinator = coordinator(training, 2);
        coordinator.report(arrived(0, 0, 0));
        coordinator.report(arrived(0, 1, 0));
        List<Instruction> first = List.copyOf(instructions);
        instructions.clear();

        Coordinator restored = restored(training, 2, coordinator.snapshot());

        assertThat(instructions).isEqualTo(first);
        // Reports of both blocks are still to come.
        restored.report(new ShardReport.Applied(0, new ShardId(0, 0), 1, 1));
        restored.report(new ShardReport.Applied(0, new ShardId(0, 1), 1, 1));
        assertThat(finished).hasSize(1);
    }

    @Test
    void waitsForEveryBlocksLookOfThePhaseItAskedFor() {
        Training chain = Runs.of(2, 0).rule("clip(9) | nnm | average").training();
        Coordinator coordinator = coordinator(chain, 2);
        for (int block = 0; block < 2; block++) {
            coordinator.report(arrived(0, block, 0, 0, 0, 4));
            coordinator.report(arrived(0, block, 1, 0, 0, 4));
        }
        assertThat(instructions).hasSize(2).allMatch(i -> i instanceof Instruction.LookAgain);
        LookResult share = new LookResult(2, new double[] {1}, new double[0]);
        coordinator.report(new ShardReport.Seen(0, new ShardId(0, 0), 1, share));
        coordinator.report(new ShardReport.Seen(0, new ShardId(0, 0), 1, share));
        coordinator.report(new ShardReport.Seen(0, new ShardId(0, 1), 0, share));
        assertThat(instructions).hasSize(2);
        coordinator.report(new ShardReport.Seen(0, new ShardId(0, 1), 1, share));
        assertThat(instructions).hasSize(4);
        assertThat(instructions.get(3)).isInstanceOf(Instruction.Decide.class);
    }

    @Test
    void closesNoRoundAfterTheLast() {
        Training training = Runs.of(1, 0).rounds(1).timeoutMillis(5).training();
        Coordinator coordinator = coordinator(training, 1);
        coordinator.report(arrived(0, 0, 0));
        assertThat(coordinator.deadline()).isEmpty();
        coordinator.report(arrived(1, 0, 0));
        assertThat(instructions).hasSize(1);
        assertThat(((Instruction.Decide) instructions.get(0)).next().stop()).isTrue();
    }

    private static ShardReport computed(long round, int worker, int samples, long bytes) {
        return new ShardReport.Computed(round, 0, worker, new GradientCost(samples, 1000, bytes));
    }

    private Settings next() {
        Instruction last = instructions.get(instructions.size() - 1);
        return ((Instruction.Decide) last).next();
    }

    @Test
    void anElasticRunGrowsFromTheRoundThatIsDecidedNext() {
        Training training = Runs.of(2, 0).elastic(1, 3, 100, 0).training();
        Coordinator coordinator = coordinator(training, 1);
        coordinator.runsOn(3);
        coordinator.report(arrived(0, 0, 0));
        coordinator.report(arrived(0, 0, 1));
        assertThat(next().workers()).isEqualTo(3);

        apply(coordinator, 0, 1);
        coordinator.report(arrived(1, 0, 0));
        coordinator.report(arrived(1, 0, 1));
        assertThat(coordinator.round()).isEqualTo(1);
        coordinator.report(arrived(1, 0, 2));
        assertThat(coordinator.round()).isEqualTo(2);
        assertThat(next().samples()).isEqualTo(8 + 12);
        assertThat(coordinator.counts().get(2).accepted()).isEqualTo(1);
    }

    @Test
    void theNewestControlHoldsFromItsRoundOnAndIsRemembered() {
        Training training = Runs.of(1, 0).elastic(1, 3, 100, 0).training();
        Coordinator coordinator = coordinator(training, 1);
        coordinator.runsOn(1);
        assertThat(coordinator.control(new Control(20, 16, 1, 1, 2))).isTrue();
        assertThat(coordinator.control(new Control(10, 8, 1, 1, 0))).isFalse();
        coordinator.report(arrived(0, 0, 0));
        assertThat(next().batchSize()).isEqualTo(4);

        Coordinator restored = restored(training, 1, coordinator.snapshot());
        restored.runsOn(1);
        assertThat(restored.control(new Control(20, 16, 1, 1, 2))).isFalse();
        apply(restored, 0, 1);
        restored.report(arrived(1, 0, 0));
        assertThat(next().batchSize()).isEqualTo(16);
        assertThat(restored.performance().controlTimestamp()).isEqualTo(20);
    }

    @Test
    void aBatchThatTakesTooMuchMemoryIsHalvedAndToldOf() {
        Training training = Runs.of(1, 0).elastic(1, 3, 100, 1000).training();
        Coordinator coordinator = coordinator(training, 1);
        coordinator.runsOn(1);
        coordinator.control(new Control(20, 16, 1, 1, 0));
        coordinator.report(computed(0, 0, 4, 400));
        coordinator.report(arrived(0, 0, 0));
        assertThat(next().batchSize()).isEqualTo(16);
        assertThat(coordinator.performance().failedBatch()).isZero();

        coordinator.report(computed(1, 0, 16, 1600));
        apply(coordinator, 0, 1);
        coordinator.report(arrived(1, 0, 0));
        assertThat(next().batchSize()).isEqualTo(8);
        assertThat(coordinator.performance().failedBatch()).isEqualTo(16);

        // The next control does not know it yet.
        Coordinator restored = restored(training, 1, coordinator.snapshot());
        restored.runsOn(1);
        restored.control(new Control(30, 16, 1, 1, 0));
        apply(restored, 1, 1);
        restored.report(arrived(2, 0, 0));
        assertThat(next().batchSize()).isEqualTo(8);

        // A worker that could not have all samples of its batch says so, too.
        restored.report(computed(3, 0, 4, 100));
        apply(restored, 2, 1);
        restored.report(arrived(3, 0, 0));
        assertThat(next().batchSize()).isEqualTo(4);
    }

    @Test
    void throughputDoesNotFollowAStepOfTheWallClock() {
        Training training = Runs.of(1, 0).elastic(1, 3, 100, 0).training();
        Coordinator coordinator = coordinator(training, 1);
        int batch = training.data().batchSize();
        for (int round = 0; round < 5; round++) {
            wall += 3_600_000_000L;
            now += 100_000;
            coordinator.report(arrived(round, 0, 0));
            apply(coordinator, round, 1);
        }
        assertThat(coordinator.performance().samplesPerSecond()).isEqualTo(batch * 10.0);
    }

    @Test
    void aRestartTellsHowLongItTook() {
        Training training = Runs.of(1, 0).elastic(1, 3, 100, 0).training();
        Coordinator coordinator = coordinator(training, 1);
        coordinator.report(arrived(0, 0, 0));
        assertThat(coordinator.performance().pauseSeconds()).isNaN();

        now += 3_500_000;
        Coordinator restored = restored(training, 1, coordinator.snapshot());
        apply(restored, 0, 1);
        restored.report(arrived(1, 0, 0));
        assertThat(restored.performance().pauseSeconds()).isEqualTo(3.5);
    }

    @Test
    void aControlForLaterLeavesTheOneInForce() {
        Training training = Runs.of(1, 0).elastic(1, 3, 100, 0).training();
        Coordinator coordinator = coordinator(training, 1);
        coordinator.runsOn(1);
        coordinator.control(new Control(10, 8, 1, 1, 0));
        coordinator.report(arrived(0, 0, 0));
        assertThat(next().batchSize()).isEqualTo(8);
        coordinator.control(new Control(20, 16, 1, 1, 3));

        Coordinator restored = restored(training, 1, coordinator.snapshot());
        restored.runsOn(1);
        apply(restored, 0, 1);
        restored.report(arrived(1, 0, 0));
        assertThat(next().batchSize()).isEqualTo(8);
        assertThat(restored.performance().controlTimestamp()).isEqualTo(10);
        apply(restored, 1, 1);
        restored.report(arrived(2, 0, 0));
        assertThat(next().batchSize()).isEqualTo(16);
    }

    @Test
    void workersThatComeHaveTheTimeThatAStartHas() {
        Training training = Runs.of(1, 0).elastic(1, 3, 100, 0).timeoutMillis(20).training();
        Coordinator coordinator = coordinator(training, 1);
        coordinator.runsOn(1);
        coordinator.report(arrived(0, 0, 0));
        coordinator.report(new ShardReport.Applied(0, new ShardId(0, 0), 1, 1));
        assertThat(coordinator.deadline()).hasValue(now + 20_000);
        coordinator.runsOn(2);
        coordinator.report(arrived(1, 0, 0));
        coordinator.report(new ShardReport.Applied(1, new ShardId(0, 0), 1, 1));
        assertThat(coordinator.deadline()).hasValue(now + 20_000 + GRACE);
    }

    @Test
    void aLargerBatchHasAsMuchMoreTime() {
        Training training = Runs.of(1, 0).elastic(1, 3, 100, 0).timeoutMillis(20).training();
        Coordinator coordinator = coordinator(training, 1);
        coordinator.runsOn(1);
        coordinator.control(new Control(10, 10, 1, 1, 0));
        coordinator.report(arrived(0, 0, 0));
        coordinator.report(new ShardReport.Applied(0, new ShardId(0, 0), 1, 1));
        // Ten samples instead of four.
        assertThat(coordinator.deadline()).hasValue(now + 60_000);
    }

    @Test
    void aRunResumedWithMoreWorkersCountsThemToo() {
        Training small = Runs.of(1, 0).elastic(1, 1, 100, 0).training();
        Coordinator coordinator = coordinator(small, 1);
        coordinator.report(arrived(0, 0, 0));
        Training large = Runs.of(1, 0).elastic(1, 3, 100, 0).training();
        Coordinator restored = restored(large, 1, coordinator.snapshot());
        restored.runsOn(3);
        apply(restored, 0, 1);
        restored.report(arrived(1, 0, 0));
        for (int worker = 0; worker < 3; worker++) {
            apply(restored, 1, 1);
            restored.report(arrived(2, 0, worker));
        }
        assertThat(restored.counts().get(0).accepted()).isEqualTo(3);
        assertThat(restored.counts().get(2).accepted()).isEqualTo(1);
        assertThat(restored.counts().get(3).worker()).isEqualTo(-1);
    }

    /** The same few in every round. */
    private record Only(Cohort cohort) implements Plan {
        @Override
        public Settings at(Training training, long round) {
            return training.settings(round, cohort);
        }

        @Override
        public Planner planner(Training training, PlanState state) {
            return (before, round) -> training.settings(round, cohort);
        }
    }

    private static Runs ofAThousand(int f, int... ids) {
        return Runs.of(1000, f).quorum(ids.length).plan(new Only(Cohort.of(ids)));
    }

    @Test
    void aRoundOfThreeOfAThousandHasThreeRows() {
        Training training = ofAThousand(1, 3, 70, 999).rule("median").training();
        Coordinator coordinator = coordinator(training, 2);
        for (int worker : new int[] {999, 3}) {
            coordinator.report(arrived(0, 1, worker));
            coordinator.report(arrived(0, 0, worker));
        }
        assertThat(coordinator.answered()).isEqualTo(2);
        // Nobody asked worker 5, and nobody waits for it.
        coordinator.report(dropped(0, 5, Rejection.NOT_ASKED));
        coordinator.report(dropped(0, 6, Rejection.NON_FINITE));
        assertThat(instructions).isEmpty();
        coordinator.report(arrived(0, 0, 70));
        coordinator.report(arrived(0, 1, 70));

        assertThat(rows(instructions.get(0))).containsExactly(3, 70, 999);
        assertThat(((Instruction.Decide) instructions.get(0)).map().points()).isEqualTo(3);
        for (int block = 0; block < 2; block++) {
            coordinator.report(new ShardReport.Applied(0, new ShardId(0, block), 1, 1));
        }
        assertThat(finished.get(0).rows()).containsExactly(3, 70, 999);
        assertThat(finished.get(0).selected()).containsExactly(3, 70, 999);
        assertThat(finished.get(0).faults()).isEmpty();
        assertThat(coordinator.counts()).hasSize(1001);
        assertThat(coordinator.counts().get(70).accepted()).isEqualTo(1);
        assertThat(coordinator.counts().get(2).accepted()).isZero();
        assertThat(rejected(coordinator, 5, Rejection.NOT_ASKED)).isEqualTo(1);
    }

    @Test
    void looksOfASampledRoundAreIndexedByPlaces() {
        Training training = ofAThousand(0, 3, 70, 500, 999).quorum(3).rule("krum").training();
        Coordinator coordinator = coordinator(training, 1);
        // Squared distances 4 between places 1 and 3, 9 between 0 and 1, 100 between 0 and 3.
        coordinator.report(arrived(0, 0, 999, 0, 0, 0, 0));
        coordinator.report(arrived(0, 0, 70, 0, 0, 0, 4));
        coordinator.report(arrived(0, 0, 3, 0, 9, 0, 100));
        assertThat(rows(instructions.get(0))).containsExactly(3, 70, 999);
        coordinator.report(new ShardReport.Applied(0, new ShardId(0, 0), 1, 1));
        // 70 and 999 are nearest to another, and the lower id wins.
        assertThat(finished.get(0).selected()).containsExactly(70);
        coordinator.report(arrived(0, 0, 500, 1, 1, 0, 1));
        assertThat(rejected(coordinator, 500, Rejection.LATE)).isEqualTo(1);
    }

    @Test
    void aTimeoutMissesMembersOnly() {
        Training training = ofAThousand(1, 3, 70, 999).rule("median").timeoutMillis(30).training();
        Coordinator coordinator = coordinator(training, 1);
        coordinator.report(arrived(0, 0, 3));
        coordinator.report(arrived(0, 0, 999));
        now += 30_000 + GRACE;
        coordinator.tick();
        assertThat(rows(instructions.get(0))).containsExactly(3, 999);
        assertThat(rejected(coordinator, 70, Rejection.MISSING)).isEqualTo(1);
        assertThat(rejected(coordinator, 0, Rejection.MISSING)).isZero();
    }

    @Test
    void waitsForScoresWhereTheRuleNeedsThem() {
        Training training = Runs.of(3, 1).rule("zeno(rho=1)").training();
        Coordinator coordinator = coordinator(training, 1);
        reportZeno(coordinator, 0, 4);
        reportZeno(coordinator, 1, 1);
        coordinator.report(new ShardReport.Scored(0, 0, 1, 2));
        reportZeno(coordinator, 2, 9);
        coordinator.report(new ShardReport.Scored(0, 0, 2, 11));
        assertThat(instructions).noneMatch(i -> i instanceof Instruction.Decide);
        assertThat(coordinator.round()).isZero();
        coordinator.report(new ShardReport.Scored(1, 0, 0, 3));
        coordinator.report(new ShardReport.Scored(0, 0, 700, 3));
        assertThat(coordinator.round()).isZero();

        // A score that came before the last row is remembered by a restored run, too.
        Coordinator restored = restored(training, 1, coordinator.snapshot());
        instructions.clear();
        for (Coordinator each : List.of(coordinator, restored)) {
            each.report(new ShardReport.Scored(0, 0, 0, 4.5));
            assertThat(each.round()).isEqualTo(1);
            each.report(new ShardReport.Applied(0, new ShardId(0, 0), 1, 1));
        }
        // Scores 4.5 − 4, 2 − 1 and 11 − 9: the worst of three is worker 0's.
        assertThat(finished).hasSize(2);
        assertThat(finished.get(0).rows()).containsExactly(0, 1, 2);
        assertThat(finished.get(0).selected()).containsExactly(1, 2);
        assertThat(finished.get(1).selected()).containsExactly(1, 2);
    }

    /** A row of one positive coordinate and this squared norm. */
    private static void reportZeno(Coordinator coordinator, int worker, double squaredNorm) {
        // Nothing for pairs of rows, the distance to the origin, and the counts of signs.
        coordinator.report(arrived(0, 0, worker, 0, 0, 0, squaredNorm, 1, 0, 0));
    }

    @Test
    void aWallClockThatStepsBackNeitherDisarmsNorFiresATimeout() {
        Training training = Runs.of(3, 1).rule("median").timeoutMillis(30).training();
        Coordinator coordinator = coordinator(training, 1);
        coordinator.report(arrived(0, 0, 0));
        assertThat(coordinator.deadline()).hasValue(now + 30_000 + GRACE);
        long deadline = coordinator.deadline().getAsLong();
        wall = -3_600_000_000L;
        coordinator.report(arrived(0, 0, 2));
        assertThat(coordinator.deadline()).hasValue(deadline);
        now = deadline - 1;
        coordinator.tick();
        assertThat(coordinator.round()).isZero();
        now = deadline;
        coordinator.tick();
        assertThat(coordinator.round()).isEqualTo(1);
        assertThat(rows(instructions.get(0))).containsExactly(0, 2);
    }

    @Test
    void aWallClockThatJumpsAheadFiresNoTimeout() {
        Training training = Runs.of(3, 1).rule("median").timeoutMillis(30).training();
        Coordinator coordinator = coordinator(training, 1);
        coordinator.report(arrived(0, 0, 0));
        coordinator.report(arrived(0, 0, 2));
        wall = 86_400_000_000L;
        coordinator.tick();
        assertThat(coordinator.round()).isZero();
        // The report has the wall clock's time, for people read it.
        coordinator.report(arrived(0, 0, 1));
        coordinator.report(new ShardReport.Applied(0, new ShardId(0, 0), 1, 1));
        assertThat(finished.get(0).decidedAt()).isEqualTo((now + wall) / 1000);
        assertThat(coordinator.deadline()).hasValue(now + 30_000);
    }

    @Test
    void aTimeoutPassesByAClockThatBeganBelowZeroToo() {
        now = -20_000_000;
        wall = 30_000_000;
        Training training = Runs.of(3, 1).rule("median").timeoutMillis(30).training();
        Coordinator coordinator = coordinator(training, 1);
        coordinator.report(arrived(0, 0, 0));
        coordinator.report(arrived(0, 0, 2));
        assertThat(coordinator.deadline()).hasValue(-20_000_000 + 30_000 + GRACE);
        now = -20_000_000 + 30_000 + GRACE;
        coordinator.tick();
        assertThat(coordinator.round()).isEqualTo(1);
    }

    private static ShardReport weighted(int block, int worker, double weight) {
        return new ShardReport.Arrived(
                0, new ShardId(0, block), worker, 0, weight, new double[0], worker, 1, 2, 3);
    }

    @Test
    void weightsReachTheRule() {
        Coordinator coordinator = coordinator(Runs.of(3, 0).training(), 2);
        for (int block = 0; block < 2; block++) {
            coordinator.report(weighted(block, 2, 5));
            coordinator.report(weighted(block, 0, 1));
            coordinator.report(weighted(block, 1, 2));
        }
        Instruction.Decide decide = (Instruction.Decide) instructions.get(0);
        float[][] rows = {{8}, {16}, {24}};
        float[] mean = new float[1];
        BlockKernels.reduce(
                decide.map(), decide.reduction(), rows, null, decide.references(), 0, 1, mean);
        // (1·8 + 2·16 + 5·24) / 8.
        assertThat(mean).containsExactly(20);
    }

    @Test
    void aSummedRoundIsAdmittedAsItComesAndClosedByItsAverage() {
        Training training = Runs.of(5, 1).quorum(4).rowsHeld(4).training();
        Coordinator coordinator = coordinator(training, 2);
        for (int worker : new int[] {4, 2}) {
            coordinator.report(weighted(0, worker, 1));
            assertThat(instructions).isEmpty();
        }
        coordinator.report(weighted(1, 2, 1));
        assertThat(instructions).isEmpty();
        coordinator.report(weighted(1, 4, 1));
        // Two of four rows that a shard may keep are complete.
        assertThat(instructions)
                .extracting(Instruction::shard)
                .containsExactly(new ShardId(0, 0), new ShardId(0, 1));
        BitSet places = new BitSet();
        places.set(2);
        places.set(4);
        assertThat(instructions)
                .allMatch(
                        i -> i instanceof Instruction.Admit admit && admit.places().equals(places));

        // A proof that comes too late for the sum changes nothing, one in time does.
        coordinator.report(
                new ShardReport.Dropped(0, new ShardId(0, 0), 4, Rejection.CONTRADICTORY));
        coordinator.report(dropped(0, 3, Rejection.WRONG_SIZE));
        for (int worker = 0; worker < 2; worker++) {
            coordinator.report(weighted(0, worker, 1));
            coordinator.report(weighted(1, worker, 1));
        }
        Instruction.Average average =
                (Instruction.Average) instructions.get(instructions.size() - 1);
        assertThat(average.rows()).containsExactly(0, 1, 2, 4);
        assertThat(average.next()).isEqualTo(Plan.FIXED.at(training, 1));
        assertThat(coordinator.round()).isEqualTo(1);
        for (int block = 0; block < 2; block++) {
            coordinator.report(new ShardReport.Applied(0, new ShardId(0, block), 1, 1));
        }
        assertThat(finished.get(0).selected()).containsExactly(0, 1, 2, 4);
        assertThat(finished.get(0).faults()).containsExactly(3);
        // Loss is the mean of those of 0, 1, 2 and 4.
        assertThat(finished.get(0).loss()).isEqualTo(1.75);
        assertThat(rejected(coordinator, 4, Rejection.CONTRADICTORY)).isEqualTo(1);
    }

    @Test
    void repeatsAnAdmissionAfterARestart() {
        Training training = Runs.of(5, 0).rowsHeld(2).training();
        Coordinator coordinator = coordinator(training, 1);
        coordinator.report(weighted(0, 3, 1));
        List<Instruction> first = List.copyOf(instructions);
        assertThat(first).hasSize(1);
        instructions.clear();
        Coordinator restored = restored(training, 1, coordinator.snapshot());
        assertThat(instructions).isEqualTo(first);
        restored.report(weighted(0, 0, 1));
        BitSet places = new BitSet();
        places.set(0);
        places.set(3);
        assertThat(((Instruction.Admit) instructions.get(1)).places()).isEqualTo(places);
    }

    @Test
    void aRoundHasAllRowsOfAPartialSumOrNone() {
        Training training = Runs.of(5, 0).quorum(3).combined().training();
        Coordinator coordinator = coordinator(training, 1);
        coordinator.report(
                new ShardReport.Combined(
                        List.of(
                                (ShardReport.Arrived) weighted(0, 0, 1),
                                (ShardReport.Arrived) weighted(0, 3, 1)),
                        2));
        coordinator.report(
                new ShardReport.Combined(
                        List.of(
                                (ShardReport.Arrived) weighted(0, 1, 1),
                                (ShardReport.Arrived) weighted(0, 4, 1)),
                        2));
        Instruction last = instructions.get(instructions.size() - 1);
        assertThat(((Instruction.Average) last).rows()).containsExactly(0, 1, 3, 4);
    }

    private static ShardReport answers(long round, int block, int worker, long base) {
        return new ShardReport.Arrived(
                round, new ShardId(0, block), worker, base, 1, new double[0], 1, 1, 2, 3);
    }

    private void apply(Coordinator coordinator, long round, int blocks) {
        for (int block = 0; block < blocks; block++) {
            coordinator.report(new ShardReport.Applied(round, new ShardId(0, block), 1, 1));
        }
    }

    private Instruction.Decide lastDecision() {
        return (Instruction.Decide) instructions.get(instructions.size() - 1);
    }

    /** Else it would take answers to a version that it does not have for those to its own. */
    @Test
    void aBlockThatIsFurtherThanItsCoordinatorMakesTheJobStartAgain() {
        Coordinator coordinator = coordinator(Runs.of(2, 0).training(), 2);
        assertThatThrownBy(() -> coordinator.report(new ShardReport.Adopted(1, new ShardId(0, 1))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("version 1 was published while the job started");
    }

    @Test
    void whatHadReachedABlockBeforeItAdoptedAVersionDoesNotCount() {
        Training training = Runs.of(3, 0).rule("median").quorum(2).staleness(2).training();
        Coordinator coordinator = coordinator(training, 2);
        for (int block = 0; block < 2; block++) {
            coordinator.report(answers(0, block, 0, 0));
            coordinator.report(answers(0, block, 1, 0));
            coordinator.report(answers(0, block, 2, 0));
        }
        coordinator.report(new ShardReport.Applied(0, new ShardId(0, 0), 1, 1));
        assertThat(coordinator.answered()).isEqualTo(1);
        coordinator.report(new ShardReport.Adopted(1, new ShardId(0, 1)));
        assertThat(coordinator.answered()).isZero();
        assertThat(finished).hasSize(1);
        for (int block = 0; block < 2; block++) {
            coordinator.report(answers(1, block, 0, 1));
            coordinator.report(answers(1, block, 1, 1));
        }
        assertThat(lastDecision().rows()).containsExactly(0, 1);
    }

    @Test
    void aContributionThatCameTooLateIsARowOfTheNextRound() {
        Training training = Runs.of(3, 0).rule("median").quorum(2).staleness(2).training();
        Coordinator coordinator = coordinator(training, 2);
        for (int block = 0; block < 2; block++) {
            coordinator.report(answers(0, block, 0, 0));
            coordinator.report(answers(0, block, 1, 0));
        }
        assertThat(lastDecision().rows()).containsExactly(0, 1);
        // One block reaches its shard in round 0, the other in round 1.
        coordinator.report(answers(0, 0, 2, 0));
        coordinator.report(answers(1, 1, 2, 0));
        coordinator.report(answers(1, 0, 0, 1));
        coordinator.report(answers(1, 1, 0, 1));
        assertThat(coordinator.round()).as("shards apply round 0").isEqualTo(1);
        Coordinator restored = restored(training, 2, coordinator.snapshot());
        apply(restored, 0, 2);

        assertThat(restored.round()).isEqualTo(2);
        assertThat(lastDecision().rows()).containsExactly(0, 2);
        assertThat(lastDecision().bases()).containsExactly(1, 0);
        assertThat(restored.counts().get(2).accepted()).isEqualTo(1);
        // A report that is repeated is nothing new.
        restored.report(answers(1, 0, 2, 0));
        restored.report(answers(1, 1, 2, 0));
        apply(restored, 1, 2);
        assertThat(restored.answered()).isZero();
    }

    @Test
    void anOldContributionIsARowOfItsAgeToTheRule() {
        List<int[]> ages = new ArrayList<>();
        Training training =
                Runs.of(2, 0).rule(new Ageing(ages, false)).quorum(1).staleness(3).training();
        Coordinator coordinator = coordinator(training, 1);
        coordinator.report(answers(0, 0, 1, 0));
        apply(coordinator, 0, 1);
        coordinator.report(answers(1, 0, 1, 1));
        apply(coordinator, 1, 1);
        coordinator.report(answers(2, 0, 0, 0));

        assertThat(ages).hasSize(3);
        assertThat(ages.get(0)).as("all are fresh").isEmpty();
        assertThat(ages.get(2)).containsExactly(2);
    }

    /** Other exceptions make the engine restart, and the round would be refused each time. */
    @Test
    void aRoundThatTheRuleRefusesEndsTheRun() {
        Training training = Runs.of(2, 0).rule(new Ageing(List.of(), true)).training();
        Coordinator coordinator = coordinator(training, 1);
        coordinator.report(answers(0, 0, 0, 0));

        assertThatThrownBy(() -> coordinator.report(answers(0, 0, 1, 0)))
                .isInstanceOf(RunFailedException.class)
                .hasMessage("round 0 cannot be aggregated: ageing takes no rounds");
    }

    @Test
    void aRoundEndsAtItsDeadlineAndWhoIsMissingIsNotAtFault() {
        Coordinator coordinator = coordinator(Runs.of(3, 0).deadlineMillis(30).training(), 1);
        assertThat(coordinator.deadline()).hasValue(now + 30_000 + GRACE);
        now += 30_000 + GRACE;
        coordinator.tick();
        assertThat(coordinator.round()).as("nobody has answered").isZero();

        coordinator.report(arrived(0, 0, 2));
        assertThat(lastDecision().rows()).containsExactly(2);
        assertThat(coordinator.counts().get(0).rejected()).containsOnly(0);
        assertThat(coordinator.deadline()).as("of round 1").hasValue(now + 30_000);
    }

    @Test
    void aRunThatNobodyAnswersEnds() {
        Training training = Runs.of(3, 1).rule("median").timeoutMillis(20_000).training();
        Coordinator coordinator = coordinator(training, 1, null, true);
        // Twenty timeouts, longer than five minutes.
        assertThat(coordinator.deadline()).hasValue(now + 400_000_000);
        now += 399_999_999;
        coordinator.report(arrived(0, 0, 1));
        now += 399_999_999;
        coordinator.tick();
        now += 1;
        assertThatThrownBy(coordinator::tick)
                .isInstanceOf(RunFailedException.class)
                .hasMessage(
                        "round 0 has 1 of 3 gradients, and no worker has answered for 20 timeouts"
                                + " of a round, or 5 minutes where that is longer");
    }

    /**
     * After a restart another server may have to wait for a silent worker in each round up to the
     * exchange, of which this one has been through all.
     */
    @Test
    void anExchangeWaitsForAServerThatWaitsForItsOwnTimeouts() {
        Exchange every =
                new Exchange(Rules.parse("median"), 1, 2, Contraction.NONE, Attackers.NONE);
        Training training =
                new TrainingBuilder("exchange", "strokes:", null, Rules.parse("average"), 1, 0)
                        .roundTimeout(Duration.ofSeconds(1))
                        .topology(new Topology(3, Reading.PER_SERVER, every))
                        .build();
        Coordinator coordinator = coordinator(training, 1);
        for (long round = 0; round < 2; round++) {
            coordinator.report(arrived(round, 0, 0));
            coordinator.report(new ShardReport.Applied(round, new ShardId(0, 0), 0, 0));
        }
        assertThat(coordinator.moment().stage()).isEqualTo(Moment.Stage.MODELS);
        coordinator.report(arrived(2, 0, 1));
        coordinator.report(arrived(2, 0, 2));
        now += 2_900_000;
        coordinator.tick();
        assertThat(coordinator.round()).isEqualTo(2);
        now += 100_000;
        coordinator.tick();
        assertThat(coordinator.round()).isEqualTo(3);
        assertThat(coordinator.snapshot().applying().report().faults()).containsExactly(3);
    }
}
