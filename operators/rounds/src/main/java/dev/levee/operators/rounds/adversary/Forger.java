package dev.levee.operators.rounds.adversary;

import dev.levee.gar.Attack;
import dev.levee.gar.Round;
import dev.levee.operators.rounds.Slices;

import java.util.Arrays;

/** Forges the model of a Byzantine server for readers of whole models. */
public final class Forger {
    private final Attack attack;
    private final Slices slices;
    private final AttackParts parts;

    /**
     * Forges models of vectors cut that way.
     *
     * @param attack null if nobody lies; then nothing is forged
     */
    public Forger(Attack attack, Slices slices) {
        this.attack = attack;
        this.slices = slices;
        this.parts = AttackParts.of(slices, attack);
    }

    /**
     * A model as a liar sends it.
     *
     * @param liar id of the server
     * @param own its true model
     * @param honest models of honest servers, which it has seen
     */
    public float[] forge(int liar, Round round, float[] own, float[][] honest) {
        float[] sent = new float[slices.dimension()];
        for (int part = 0; part < parts.count(); part++) {
            forge(part, liar, round, own, honest, sent);
        }
        return sent;
    }

    private void forge(
            int part, int liar, Round round, float[] own, float[][] honest, float[] sent) {
        int first = parts.first(part);
        int last = first + parts.blocks() - 1;
        int from = slices.offset(first);
        int to = slices.offset(last) + slices.length(last);
        float[][] seen = new float[attack.sees() == Attack.Sees.HONEST ? honest.length : 0][];
        Arrays.setAll(seen, i -> Arrays.copyOfRange(honest[i], from, to));
        float[] mine = attack.sees() == Attack.Sees.OWN ? Arrays.copyOfRange(own, from, to) : null;
        float[] lie = attack.forge(liar, first, round, mine, seen, to - from);
        System.arraycopy(lie, 0, sent, from, lie.length);
    }
}
