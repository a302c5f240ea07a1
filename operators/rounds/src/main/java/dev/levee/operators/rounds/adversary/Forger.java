package dev.levee.operators.rounds.adversary;

import dev.levee.gar.Attack;
import dev.levee.gar.Round;
import dev.levee.operators.rounds.Slices;

import java.util.Arrays;

/**
 * Forges whole vectors, block by block unless the attack is {@link Attack#whole}.
 *
 * @param attack null if nobody lies; then nothing is forged
 */
public record Forger(Attack attack, Slices slices) {
    /**
     * The vector that a liar sends.
     *
     * @param liar its id
     * @param own its true vector
     * @param honest vectors of honest senders, which it has seen
     */
    public float[] forge(int liar, Round round, float[] own, float[][] honest) {
        AttackParts parts = AttackParts.of(slices, attack);
        float[] sent = new float[slices.dimension()];
        for (int part = 0; part < parts.count(); part++) {
            int first = parts.first(part);
            int last = first + parts.blocks() - 1;
            int from = slices.offset(first);
            int to = slices.offset(last) + slices.length(last);
            float[][] seen = new float[attack.sees() == Attack.Sees.HONEST ? honest.length : 0][];
            Arrays.setAll(seen, i -> Arrays.copyOfRange(honest[i], from, to));
            float[] mine =
                    attack.sees() == Attack.Sees.OWN ? Arrays.copyOfRange(own, from, to) : null;
            float[] lie = attack.forge(liar, first, round, mine, seen, to - from);
            System.arraycopy(lie, 0, sent, from, lie.length);
        }
        return sent;
    }
}
