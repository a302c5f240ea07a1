package dev.levee.operators.rounds.coordinator;

import dev.levee.gar.BlockKernels;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.training.Training;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The dialogue between a rule and the shards about the rows of a closed round: the rule asks for
 * looks until it can decide. The dialogue also waits for scores if the rule needs them.
 */
public final class RuleDialogue extends RoundState {
    /**
     * The state of the dialogue; a copy.
     *
     * @param rows the rows that the dialogue is about
     * @param phase the phase whose looks are awaited
     * @param decidePhase the phase that is passed to the rule
     * @param map the linear combinations of rows being measured
     * @param look the look that is being measured
     * @param shares the measurements of each block; null where missing
     * @param looked the sum of the shares, null until it is complete
     */
    public record State(
            OpenRound.Rows rows,
            int phase,
            int decidePhase,
            RowMap map,
            Look look,
            LookResult[] shares,
            LookResult looked) {
        State copy() {
            return new State(rows, phase, decidePhase, map, look, shares.clone(), looked);
        }
    }

    private final Rule rule;
    private State state;

    /** Creates a dialogue that continues from a state, which is copied. */
    RuleDialogue(Coordinator coordinator, OpenRound open, State state) {
        super(coordinator, open);
        this.rule = open.rule();
        this.state = state.copy();
    }

    /** Starts a dialogue with what was measured as the rows arrived, if that suffices. */
    static RuleDialogue about(Coordinator coordinator, OpenRound open, OpenRound.Rows rows) {
        Look look = open.rule().look();
        int count = rows.places().length;
        int members = open.settings().workers();
        Look arriving =
                coordinator.training.admission().measured(look, members, coordinator.blocks);
        boolean measured = look.nothing() || !arriving.nothing();
        LookResult looked = measured ? open.arrivals().looked(rows.places()) : null;
        RowMap identity = RowMap.identity(count, count);
        int phase = looked == null ? 1 : 0;
        LookResult[] shares = new LookResult[coordinator.blocks];
        return new RuleDialogue(
                coordinator, open, new State(rows, phase, 0, identity, look, shares, looked));
    }

    /** Asks shards for the rule's look, or decides if it is known. */
    void begin() {
        ask();
        goOn();
    }

    @Override
    State dialogue() {
        return state.copy();
    }

    @Override
    void arrived(List<ShardReport.Arrived> rows) {
        for (ShardReport.Arrived row : rows) {
            if (open.intake().late(row, true)) {
                coordinator.late(row, state.rows().ids());
            } else {
                open.intake().arrived(row, true);
            }
        }
    }

    @Override
    void seen(ShardReport.Seen seen) {
        boolean answer =
                seen.round() == open.number()
                        && state.looked() == null
                        && seen.phase() == state.phase();
        if (!answer) {
            return;
        }
        state.shares()[seen.shard().block()] = seen.share();
        if (Arrays.stream(state.shares()).noneMatch(Objects::isNull)) {
            state =
                    new State(
                            state.rows(),
                            state.phase(),
                            state.decidePhase(),
                            state.map(),
                            state.look(),
                            state.shares(),
                            BlockKernels.sum(state.shares()));
        }
        open.times().seen(coordinator.wall());
        goOn();
    }

    @Override
    void scored() {
        goOn();
    }

    /** Asks shards for measurements, unless they are known. */
    private void ask() {
        if (state.looked() == null) {
            coordinator.instruct(
                    new Instruction.LookAgain(
                            open.number(),
                            coordinator.shard(0),
                            state.phase(),
                            state.rows().ids(),
                            state.rows().bases(),
                            state.map(),
                            state.look()));
        }
    }

    /** Asks the rule for a decision, if all its input is known. */
    private void goOn() {
        Optional<double[]> scores = scores();
        if (state.looked() == null || scores.isEmpty()) {
            return;
        }
        Round round = round(scores.get());
        try {
            rule.check(round);
        } catch (IllegalArgumentException e) {
            // A restart would decide the same round again.
            throw new RunFailedException(
                    "round %d cannot be aggregated: %s".formatted(open.number(), e.getMessage()),
                    e);
        }
        RuleState carried = coordinator.carried.ruleState(open.moment());
        Step step = rule.decide(state.decidePhase(), state.map(), state.looked(), round, carried);
        if (step instanceof Step.LookAgain again) {
            state =
                    new State(
                            state.rows(),
                            state.phase() + 1,
                            state.decidePhase() + 1,
                            again.map(),
                            again.look(),
                            new LookResult[coordinator.blocks],
                            null);
            ask();
        } else {
            decided((Step.Reduce) step);
        }
    }

    private void decided(Step.Reduce reduce) {
        OpenRound.Rows rows = state.rows();
        BitSet selected = new BitSet();
        for (int i = 0; i < rows.places().length; i++) {
            if (reduce.map().uses(i)) {
                selected.set(rows.places()[i]);
            } else if (rule.refuses()) {
                coordinator.rejected(open.number(), rows.ids()[i], Rejection.LOW_SCORE);
            }
        }
        coordinator.carried.carry(open.moment(), reduce.state());
        coordinator.decide(
                rows,
                selected.stream().toArray(),
                next ->
                        new Instruction.Decide(
                                open.number(),
                                coordinator.shard(0),
                                rows.ids(),
                                rows.bases(),
                                reduce.map(),
                                state.look().references(),
                                reduce.reduction(),
                                next));
    }

    /** The age of each row, in versions; empty if all are 0. */
    private int[] ages() {
        return Arrays.stream(open.answered(state.rows().places()))
                .mapToInt(base -> Math.toIntExact(open.number() - base))
                .toArray();
    }

    /** The scores that the rule needs, possibly none; empty while one is missing. */
    private Optional<double[]> scores() {
        int[] rows = state.rows().places();
        int[] places = Arrays.copyOf(rows, rule.scores(rows.length));
        return open.arrivals().scored(places)
                ? Optional.of(open.arrivals().scores(places))
                : Optional.empty();
    }

    /** The rule's view of the round; rules without weights get none. */
    private Round round(double[] scores) {
        int[] places = state.rows().places();
        Arrivals arrivals = open.arrivals();
        Training training = coordinator.training;
        Round round =
                new Round(
                                places.length,
                                state.rows().f(),
                                training.drawing(open.number()),
                                training.seed())
                        .withWorkers(state.rows().ids())
                        .withAges(ages())
                        .withScores(scores);
        return rule.takesWeights() ? round.withWeights(arrivals.weights(places)) : round;
    }
}
