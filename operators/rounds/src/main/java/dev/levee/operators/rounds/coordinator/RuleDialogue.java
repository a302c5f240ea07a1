package dev.levee.operators.rounds.coordinator;

import dev.levee.gar.BlockKernels;
import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.training.Training;

import java.util.Arrays;

/**
 * The dialogue between a rule and the shards about the rows of a closed round: the rule asks for
 * looks until it can say what becomes of the rows. It also waits for scores, where the rule needs
 * them.
 */
public final class RuleDialogue {
    /**
     * How far the dialogue has come; a copy of its own.
     *
     * @param rows the rows it is about
     * @param phase the phase whose looks are awaited
     * @param decidePhase the phase the rule will be told
     * @param map the mixed rows being looked at
     * @param look what is being measured
     * @param shares what came, by block; null where missing
     * @param looked all of it together, null until it is
     */
    public record State(
            OpenRound.Rows rows,
            int phase,
            int decidePhase,
            RowMap map,
            Look look,
            Looked[] shares,
            Looked looked) {
        State copy() {
            return new State(rows, phase, decidePhase, map, look, shares.clone(), looked);
        }
    }

    private final Rule rule;
    private final long seed;

    /** By which the rule draws ({@link Training#drawing}). */
    private final long number;

    private final OpenRound open;
    private final int blocks;
    private State state;

    private RuleDialogue(Training training, OpenRound open, int blocks, State state) {
        this.rule = open.rule();
        this.seed = training.seed();
        this.number = training.drawing(open.number());
        this.open = open;
        this.blocks = blocks;
        this.state = state;
    }

    /** Begins with what was measured when the rows came, as far as that is enough. */
    static RuleDialogue begin(Training training, OpenRound open, int blocks, OpenRound.Rows rows) {
        Look look = open.rule().look();
        int count = rows.places().length;
        boolean measured = look.nothing() || !training.admission().measured(look).nothing();
        Looked looked = measured ? open.arrivals().looked(rows.places()) : null;
        RowMap identity = RowMap.identity(count, count);
        int phase = looked == null ? 1 : 0;
        return new RuleDialogue(
                training,
                open,
                blocks,
                new State(rows, phase, 0, identity, look, new Looked[blocks], looked));
    }

    /** Goes on from a state. */
    static RuleDialogue of(Training training, OpenRound open, int blocks, State state) {
        return new RuleDialogue(training, open, blocks, state.copy());
    }

    State snapshot() {
        return state.copy();
    }

    OpenRound.Rows rows() {
        return state.rows();
    }

    Look look() {
        return state.look();
    }

    /** What shards have to be asked now, null if nothing. */
    Instruction.LookAgain question(ShardId shard) {
        return state.looked() != null
                ? null
                : new Instruction.LookAgain(
                        open.number(),
                        shard,
                        state.phase(),
                        state.rows().ids(),
                        state.rows().bases(),
                        state.map(),
                        state.look());
    }

    /** A shard's answer; true if it is one to the open question. */
    boolean seen(ShardReport.Seen seen) {
        if (state.looked() != null || seen.phase() != state.phase()) {
            return false;
        }
        state.shares()[seen.shard().block()] = seen.share();
        for (Looked share : state.shares()) {
            if (share == null) {
                return true;
            }
        }
        state = with(BlockKernels.sum(state.shares()));
        return true;
    }

    private State with(Looked looked) {
        return new State(
                state.rows(),
                state.phase(),
                state.decidePhase(),
                state.map(),
                state.look(),
                state.shares(),
                looked);
    }

    /**
     * Asks the rule, if it can be asked.
     *
     * @return what becomes of the rows; null if something has to be waited for, which {@link
     *     #question} may have to be asked for first
     */
    Step.Reduce decide(RuleState carried) {
        boolean scored = !rule.needsScores() || open.arrivals().scored(state.rows().places());
        if (state.looked() == null || !scored) {
            return null;
        }
        Round round = round();
        rule.check(round);
        Step step = rule.decide(state.decidePhase(), state.map(), state.looked(), round, carried);
        if (step instanceof Step.LookAgain again) {
            state =
                    new State(
                            state.rows(),
                            state.phase() + 1,
                            state.decidePhase() + 1,
                            again.map(),
                            again.look(),
                            new Looked[blocks],
                            null);
            return null;
        }
        return (Step.Reduce) step;
    }

    /** Versions since those that the rows answer; empty if all are 0. */
    private int[] ages() {
        return Arrays.stream(open.answered(state.rows().places()))
                .mapToInt(base -> Math.toIntExact(open.number() - base))
                .toArray();
    }

    /** What the rule is told of the round; a rule that cannot weigh its rows gets no weights. */
    private Round round() {
        int[] places = state.rows().places();
        Arrivals arrivals = open.arrivals();
        Round round =
                new Round(places.length, state.rows().f(), number, seed)
                        .withWorkers(state.rows().ids())
                        .withAges(ages())
                        .withScores(rule.needsScores() ? arrivals.scores(places) : new double[0]);
        return rule.takesWeights() ? round.withWeights(arrivals.weights(places)) : round;
    }
}
