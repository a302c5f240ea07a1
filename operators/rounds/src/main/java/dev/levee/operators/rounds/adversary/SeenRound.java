package dev.levee.operators.rounds.adversary;

import dev.levee.gar.Attack;
import dev.levee.gar.Round;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.training.AttackPlan;
import dev.levee.operators.rounds.vector.Slices;

import java.util.Arrays;
import java.util.function.Consumer;

/** The adversary's view of one round, on one part of the vector. Single-threaded. */
final class SeenRound {
    private final AttackPlan plan;
    private final Attack attack;
    private final Slices slices;
    private final int first;
    private final int blocks;
    private final int workers;
    private final int needed;

    /** The reading server if the attack needs its own record, −1 otherwise. */
    private final int reader;

    /** True if the attack works in this round. */
    private final boolean works;

    /** The cohort of the round, null for all participants. */
    private final Cohort asked;

    private final Consumer<GradientBlock> output;

    private final long round;
    private final float[][] honest;
    private final GradientBlock[] waiting;
    private int complete;
    private float[][] shared;

    /**
     * Creates a view that continues from a state.
     *
     * @param asked the participants that the round asks, null for all
     */
    SeenRound(
            AttackPlan plan,
            AttackParts parts,
            int part,
            Cohort asked,
            AdversaryState state,
            Consumer<GradientBlock> output) {
        this.plan = plan;
        this.attack = plan.attack();
        this.slices = parts.slices();
        this.first = parts.first(part);
        this.blocks = parts.blocks();
        this.workers = plan.suspects().count();
        this.output = output;
        this.round = state.round();
        this.asked = asked;
        this.works = plan.works(round, asked);
        this.needed = plan.honestSeen(round, asked);
        this.reader = plan.readsFirst();
        this.honest = state.honest().clone();
        this.waiting = state.waiting().clone();
        for (int worker = 0; worker < workers; worker++) {
            complete += all(honest, worker) ? 1 : 0;
        }
    }

    /** The state to checkpoint now. */
    AdversaryState snapshot(AdversaryState later) {
        return new AdversaryState(round, honest.clone(), waiting.clone(), later);
    }

    /**
     * Accepts a record of this round and passes it on; if its sender attacks, replaces it first.
     */
    void gradient(GradientBlock gradient) {
        Header header = gradient.header();
        int at = (header.sender() - plan.suspects().first()) * blocks + header.block() - first;
        boolean fits = gradient.length() == slices.length(header.block());
        if (!works) {
            output.accept(gradient);
        } else if (!plan.attacks(header.sender())) {
            output.accept(gradient);
            if (attack.sees() == Attack.Sees.HONEST && fits) {
                see(at, gradient.values());
            }
        } else if (attack.sees() == Attack.Sees.OWN && !fits) {
            // The record has the wrong length: the shard will refuse it.
            output.accept(gradient);
        } else {
            waiting[at] = gradient;
        }
        attackIfReady();
    }

    /** Ends the round: passes on the records that still wait, unchanged. */
    void end() {
        for (GradientBlock each : waiting) {
            if (each != null) {
                output.accept(each);
            }
        }
    }

    /** Keeps an honest row that the attack needs; one place is for the reading server's row. */
    private void see(int at, float[] values) {
        boolean kept = reader >= 0 && at / blocks != reader && !all(honest, reader);
        if (complete < (kept ? needed - 1 : needed) && honest[at] == null) {
            honest[at] = values;
            complete += all(honest, at / blocks) ? 1 : 0;
        }
    }

    private boolean all(Object[] perBlock, int worker) {
        for (int i = 0; i < blocks; i++) {
            if (perBlock[worker * blocks + i] == null) {
                return false;
            }
        }
        return true;
    }

    private void attackIfReady() {
        if (attack.sees() == Attack.Sees.HONEST && complete < needed) {
            return;
        }
        for (int worker = workers - plan.suspects().attackers(); worker < workers; worker++) {
            if (all(waiting, worker)) {
                float[][] forged = forged(plan.suspects().first() + worker, worker);
                for (int i = 0; i < blocks; i++) {
                    int at = worker * blocks + i;
                    output.accept(waiting[at].with(forged[i]));
                    waiting[at] = null;
                }
            }
        }
    }

    private float[][] forged(int id, int worker) {
        if (!attack.shared()) {
            return forge(id, worker);
        }
        if (shared == null) {
            shared = forge(id, worker);
        }
        return shared;
    }

    private float[][] forge(int id, int worker) {
        float[] own = null;
        if (attack.sees() == Attack.Sees.OWN) {
            float[][] sent = new float[blocks][];
            Arrays.setAll(sent, i -> waiting[worker * blocks + i].values());
            own = joined(sent, 0);
        }
        int receiver = waiting[worker * blocks].header().receiver();
        Round context = plan.known(round, asked, receiver);
        return cut(attack.forge(id, first, context, own, seen(), length()));
    }

    /**
     * The honest rows in order; if the attack sends readers different rows, the reading server's
     * row comes first.
     */
    private float[][] seen() {
        float[][] seen = new float[complete][];
        boolean ahead = reader >= 0 && all(honest, reader);
        int count = 0;
        if (ahead) {
            seen[count++] = joined(honest, reader);
        }
        for (int w = 0; w < workers; w++) {
            if (all(honest, w) && !(ahead && w == reader)) {
                seen[count++] = joined(honest, w);
            }
        }
        return seen;
    }

    private int length() {
        int last = first + blocks - 1;
        return slices.offset(last) + slices.length(last) - slices.offset(first);
    }

    private float[] joined(float[][] perBlock, int worker) {
        if (blocks == 1) {
            return perBlock[worker];
        }
        float[] row = new float[length()];
        for (int i = 0; i < blocks; i++) {
            slices.put(perBlock[worker * blocks + i], i, row);
        }
        return row;
    }

    private float[][] cut(float[] row) {
        float[][] parts = {row};
        if (blocks > 1) {
            parts = new float[blocks][];
            Arrays.setAll(parts, i -> slices.cut(row, i));
        }
        return parts;
    }
}
