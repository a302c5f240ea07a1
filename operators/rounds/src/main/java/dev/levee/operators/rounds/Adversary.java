package dev.levee.operators.rounds;

import dev.levee.gar.Attack;
import dev.levee.gar.Round;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Replaces what attackers send, on one part of the vector: a block, or all blocks for an attack
 * that forges whole rows. Omniscient: it sees honest rows first. Rushing: its rows leave right
 * behind the last honest row it needs, so they are still in the quorum. What it has seen by then is
 * all it uses, so a row that has to be forged again after a failure is the same. Single-threaded;
 * knows no engine.
 */
public final class Adversary {
    /**
     * How many rounds ahead of the newest known a record may be. A round opens only when the one
     * before it is closed, with rows that all came by here, so a record from farther ahead is not a
     * worker's: it must not make the adversary forget the open round.
     */
    static final int AHEAD = 1;

    private final AttackPlan plan;
    private final Attack attack;
    private final Slices slices;
    private final int first;
    private final int blocks;
    private final int needed;
    private final Consumer<GradientBlock> output;

    private long round;
    private final float[][] honest;
    private final GradientBlock[] waiting;
    private int complete;
    private float[][] shared;

    /** An adversary that goes on from a state. */
    public Adversary(
            AttackPlan plan,
            Parts parts,
            int part,
            AdversaryState state,
            Consumer<GradientBlock> output) {
        this.plan = plan;
        this.attack = plan.attack();
        this.slices = parts.slices();
        this.first = parts.first(part);
        this.blocks = parts.blocks();
        this.needed = plan.honestSeen();
        this.output = output;
        this.round = state.round();
        this.honest = state.honest().clone();
        this.waiting = state.waiting().clone();
        for (int worker = 0; worker < plan.workers(); worker++) {
            complete += all(honest, worker) ? 1 : 0;
        }
    }

    /** The state that a part starts with. */
    public static AdversaryState initial(AttackPlan plan, Parts parts) {
        return AdversaryState.initial(plan.workers(), parts.blocks());
    }

    /** What has to be remembered now. */
    public AdversaryState snapshot() {
        return new AdversaryState(round, honest.clone(), waiting.clone());
    }

    /** Takes a worker's gradient and sends it on, replaced if the worker attacks. */
    public void gradient(GradientBlock gradient) {
        Header header = gradient.header();
        if (!fromWorker(header)) {
            // Records that are nobody's or not what a worker sends are the shard's to judge.
            output.accept(gradient);
            return;
        }
        advance(header.round());
        int at = header.sender() * blocks + header.block() - first;
        boolean fits = gradient.length() == slices.length(header.block());
        if (!plan.attacks(header.sender())) {
            output.accept(gradient);
            if (attack.sees() == Attack.Sees.HONEST && fits && current(header)) {
                see(at, gradient.values());
            }
        } else if (!current(header) || (attack.sees() == Attack.Sees.OWN && !fits)) {
            // Its round has closed without it, or it is no row: the shard will say so.
            output.accept(gradient);
        } else {
            waiting[at] = gradient;
        }
        attackIfReady();
    }

    private boolean fromWorker(Header header) {
        return plan.onTheWay()
                && (plan.run() == null || plan.run() == header.run())
                && header.sender() >= 0
                && header.sender() < plan.workers()
                && header.block() >= first
                && header.block() < first + blocks
                && header.round() <= round + AHEAD;
    }

    private boolean current(Header header) {
        return header.round() == round;
    }

    private void advance(long newRound) {
        if (newRound > round) {
            round = newRound;
            Arrays.fill(honest, null);
            complete = 0;
            shared = null;
            for (int i = 0; i < waiting.length; i++) {
                if (waiting[i] != null) {
                    output.accept(waiting[i]);
                    waiting[i] = null;
                }
            }
        }
    }

    private void see(int at, float[] values) {
        if (complete < needed && honest[at] == null) {
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
        for (int worker = plan.workers() - plan.attackers(); worker < plan.workers(); worker++) {
            if (all(waiting, worker)) {
                float[][] forged = forged(worker);
                for (int i = 0; i < blocks; i++) {
                    int at = worker * blocks + i;
                    output.accept(waiting[at].with(forged[i]));
                    waiting[at] = null;
                }
            }
        }
    }

    private float[][] forged(int worker) {
        if (!attack.shared()) {
            return forge(worker);
        }
        if (shared == null) {
            shared = forge(worker);
        }
        return shared;
    }

    private float[][] forge(int worker) {
        float[] own = null;
        if (attack.sees() == Attack.Sees.OWN) {
            float[][] sent = new float[blocks][];
            Arrays.setAll(sent, i -> waiting[worker * blocks + i].values());
            own = joined(sent, 0);
        }
        float[][] seen = new float[complete][];
        int count = 0;
        for (int w = 0; w < plan.workers(); w++) {
            if (all(honest, w)) {
                seen[count++] = joined(honest, w);
            }
        }
        Round forging = new Round(plan.workers(), plan.attackers(), round, plan.seed());
        return cut(attack.forge(worker, first, forging, own, seen, length()));
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
            float[] part = perBlock[worker * blocks + i];
            System.arraycopy(part, 0, row, slices.offset(i), part.length);
        }
        return row;
    }

    private float[][] cut(float[] row) {
        float[][] parts = {row};
        if (blocks > 1) {
            parts = new float[blocks][];
            Arrays.setAll(
                    parts,
                    i -> {
                        int from = slices.offset(i);
                        return Arrays.copyOfRange(row, from, from + slices.length(i));
                    });
        }
        return parts;
    }
}
