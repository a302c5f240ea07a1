package dev.levee.operators.rounds;

import java.util.function.Consumer;

/**
 * Replaces what attackers send, on one part of the vector: a block, or all blocks for an attack
 * that forges whole rows. Omniscient: it sees honest rows first. Rushing: its rows leave right
 * behind the last honest row it needs, so they are still in the quorum. What it has seen by then is
 * all it uses, so a row that has to be forged again after a failure is the same. Where servers
 * exchange models, rows of a round may come before the last ones of the round before, so it looks
 * at two. Single-threaded; knows no engine.
 */
public final class Adversary {
    private final AttackPlan plan;
    private final Parts parts;
    private final int part;
    private final Consumer<GradientBlock> output;
    private Sight current;

    /** The round behind that one, null while nothing of it has come. */
    private Sight later;

    /** An adversary that goes on from a state. */
    public Adversary(
            AttackPlan plan,
            Parts parts,
            int part,
            AdversaryState state,
            Consumer<GradientBlock> output) {
        this.plan = plan;
        this.parts = parts;
        this.part = part;
        this.output = output;
        current = sight(state);
        later = state.later() == null ? null : sight(state.later());
    }

    private Sight sight(AdversaryState state) {
        return new Sight(plan, parts, part, state, output);
    }

    /** The state that a part starts with. */
    public static AdversaryState initial(AttackPlan plan, Parts parts) {
        return AdversaryState.opening(-1, plan.workers(), parts.blocks());
    }

    /** What has to be remembered now. */
    public AdversaryState snapshot() {
        return current.snapshot(later == null ? null : later.snapshot(null));
    }

    /** Takes a worker's gradient and sends it on, replaced if the worker attacks. */
    public void gradient(GradientBlock gradient) {
        Header header = gradient.header();
        boolean itself = plan.attacks(header.sender()) && plan.toItself(header);
        Sight sight = fromWorker(header) && !itself ? sight(header.round()) : null;
        if (sight == null) {
            // Nobody's, not what a worker sends, or too late: the shard's to judge.
            output.accept(gradient);
        } else {
            sight.gradient(gradient);
        }
    }

    private boolean fromWorker(Header header) {
        int first = parts.first(part);
        return plan.onTheWay()
                && (plan.run() == null || plan.run() == header.run())
                && header.sender() >= plan.first()
                && header.sender() < plan.first() + plan.workers()
                && header.block() >= first
                && header.block() < first + parts.blocks()
                && header.round() <= newest() + plan.ahead();
    }

    private long newest() {
        return later == null ? current.round() : later.round();
    }

    /** What is seen of a round, null of one that is over. */
    private Sight sight(long round) {
        if (round > newest()) {
            advance(round);
        }
        if (round == current.round()) {
            return current;
        }
        return later != null && round == later.round() ? later : null;
    }

    private void advance(long round) {
        boolean two = plan.ahead() > 1;
        if (later != null || !two) {
            current.end();
        }
        Sight next = sight(AdversaryState.opening(round, plan.workers(), parts.blocks()));
        if (!two) {
            current = next;
            return;
        }
        current = later == null ? current : later;
        later = next;
    }
}
