package dev.levee.operators.rounds.adversary;

import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.training.AttackPlan;
import dev.levee.operators.rounds.training.AttackView;

import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Replaces the contributions of attackers, on one part of the vector: a block, or all blocks for an
 * attack that forges whole rows. Omniscient: it sees honest rows first. Rushing: it sends its rows
 * right after the last honest row that it needs, so they are still in the quorum. It uses only rows
 * seen by then, so it forges the same row again after a failure. If servers exchange models, rows
 * of later rounds may arrive before the last rows of a round; with a staleness bound, rows may
 * answer older versions. So it tracks several rounds. Single-threaded; knows no engine.
 */
public final class Adversary {
    private final AttackPlan plan;
    private final AttackParts parts;
    private final int part;
    private final Consumer<GradientBlock> output;
    private final CohortForecast foresight;

    /** Views of the newest rounds, by round; never empty. */
    private final TreeMap<Long, SeenRound> sights = new TreeMap<>();

    /** Creates an adversary that continues from a state. */
    public Adversary(
            AttackPlan plan,
            AttackParts parts,
            int part,
            AdversaryState state,
            Consumer<GradientBlock> output) {
        this.plan = plan;
        this.parts = parts;
        this.part = part;
        this.output = output;
        this.foresight =
                plan.view() instanceof AttackView.Asked asked
                        ? new CohortForecast(asked.training())
                        : null;
        for (AdversaryState each = state; each != null; each = each.later()) {
            open(each);
        }
    }

    private void open(AdversaryState state) {
        Cohort asked = foresight == null ? null : foresight.at(state.round());
        sights.put(state.round(), new SeenRound(plan, parts, part, asked, state, output));
    }

    /** The initial state of one part. */
    public static AdversaryState initial(AttackPlan plan, AttackParts parts) {
        return AdversaryState.opening(-1, plan.suspects().count(), parts.blocks());
    }

    /**
     * The state that one part continues from.
     *
     * @param opened the newest round that is known to be open, −1 if none is
     * @param before its state, null if it has none
     */
    public static AdversaryState initial(
            AttackPlan plan, AttackParts parts, long opened, AdversaryState before) {
        AdversaryState newest = before;
        while (newest != null && newest.later() != null) {
            newest = newest.later();
        }
        // If it continues from another point, it must not take rows of those rounds for honest.
        return newest != null && newest.round() >= opened
                ? before
                : AdversaryState.opening(opened, plan.suspects().count(), parts.blocks());
    }

    /** The state to checkpoint now. */
    public AdversaryState snapshot() {
        AdversaryState later = null;
        for (SeenRound sight : sights.descendingMap().values()) {
            later = sight.snapshot(later);
        }
        return later;
    }

    /** Accepts a worker's gradient and passes it on; if the worker attacks, replaces it first. */
    public void gradient(GradientBlock gradient) {
        Header header = gradient.header();
        boolean itself = plan.attacks(header.sender()) && plan.toItself(header);
        SeenRound sight = fromWorker(header) && !itself ? sight(header.round()) : null;
        if (sight == null) {
            // The shard decides about rows of unknown senders, other messages and late rows.
            output.accept(gradient);
        } else {
            sight.gradient(gradient);
        }
    }

    private boolean fromWorker(Header header) {
        int first = parts.first(part);
        return plan.onTheWay()
                && plan.suspects().contains(header.sender())
                && plan.horizon().has(header, sights.lastKey())
                && header.block() >= first
                && header.block() < first + parts.blocks();
    }

    /** The view of a round, null if the round is over. */
    private SeenRound sight(long round) {
        boolean passed = round < sights.firstKey();
        if (!passed && !sights.containsKey(round)) {
            open(AdversaryState.opening(round, plan.suspects().count(), parts.blocks()));
            while (sights.size() > plan.horizon().rounds()) {
                sights.pollFirstEntry().getValue().end();
            }
        }
        return sights.get(round);
    }
}
