package dev.levee.operators.rounds;

import dev.levee.gar.Attack;
import dev.levee.gar.Round;
import dev.levee.operators.AttackPlan;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Replaces what attackers send, on one block. Omniscient: it sees honest rows first. Rushing: its
 * rows leave right behind the last honest row it needs, so they are still in the quorum.
 * Single-threaded; knows no engine.
 */
public final class Adversary {
    private final AttackPlan plan;
    private final Attack attack;
    private final int block;
    private final int length;
    private final Consumer<GradientBlock> output;

    private long round;
    private final float[][] honest;
    private final GradientBlock[] waiting;

    /** An adversary that goes on from a state. */
    public Adversary(
            AttackPlan plan,
            Slices slices,
            int block,
            AdversaryState state,
            Consumer<GradientBlock> output) {
        this.plan = plan;
        this.attack = plan.attack();
        this.block = block;
        this.length = slices.length(block);
        this.output = output;
        this.round = state.round();
        this.honest = state.honest().clone();
        this.waiting = state.waiting().clone();
    }

    /** The state a block starts with. */
    public static AdversaryState initial(AttackPlan plan) {
        return AdversaryState.initial(plan.workers());
    }

    /** What has to be remembered now. */
    public AdversaryState snapshot() {
        return new AdversaryState(round, honest.clone(), waiting.clone());
    }

    /** Takes a worker's gradient and sends it on, replaced if the worker attacks. */
    public void gradient(GradientBlock gradient) {
        int worker = gradient.header().sender();
        if (worker < 0 || worker >= plan.workers() || !forgeable(gradient)) {
            // Records that are nobody's or not what a worker sends are the shard's to judge.
            output.accept(gradient);
        } else if (!plan.attacks(worker) || attack.flipsLabels()) {
            output.accept(gradient);
            remember(gradient);
        } else if (attack.sees() != Attack.Sees.HONEST) {
            output.accept(gradient.with(forge(gradient, gradient.values(), new float[0][])));
        } else if (gradient.header().round() >= round) {
            advance(gradient.header().round());
            waiting[worker] = gradient;
            attackIfReady();
        } else {
            // Its round has closed without it; the shard will say so.
            output.accept(gradient);
        }
    }

    private boolean forgeable(GradientBlock gradient) {
        return !attack.silent()
                && (attack.sees() != Attack.Sees.OWN || gradient.values().length == length);
    }

    private void remember(GradientBlock gradient) {
        boolean useless =
                attack.sees() != Attack.Sees.HONEST
                        || gradient.header().round() < round
                        || gradient.values().length != length;
        if (useless) {
            return;
        }
        advance(gradient.header().round());
        honest[gradient.header().sender()] = gradient.values();
        attackIfReady();
    }

    private void advance(long newRound) {
        if (newRound > round) {
            round = newRound;
            Arrays.fill(honest, null);
            Arrays.fill(waiting, null);
        }
    }

    private void attackIfReady() {
        float[][] seen = Arrays.stream(honest).filter(Objects::nonNull).toArray(float[][]::new);
        if (seen.length < Math.max(1, plan.quorum() - plan.attackers())) {
            return;
        }
        for (int worker = 0; worker < waiting.length; worker++) {
            if (waiting[worker] != null) {
                output.accept(waiting[worker].with(forge(waiting[worker], null, seen)));
                waiting[worker] = null;
            }
        }
    }

    private float[] forge(GradientBlock gradient, float[] own, float[][] seen) {
        return attack.forge(
                gradient.header().sender(),
                block,
                new Round(plan.workers(), plan.attackers(), gradient.header().round(), plan.seed()),
                attack.sees() == Attack.Sees.OWN ? own : null,
                seen,
                length);
    }
}
