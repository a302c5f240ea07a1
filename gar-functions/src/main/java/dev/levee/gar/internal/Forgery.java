package dev.levee.gar.internal;

import dev.levee.gar.Attack;
import dev.levee.gar.Blocks;
import dev.levee.gar.Round;

import java.util.Arrays;

/** Forges the rows of all attackers of a round from whole honest vectors in memory. */
public final class Forgery {
    private final Attack attack;
    private final float[][] honest;
    private final Round round;
    private final int length;

    /**
     * A forgery over at least one honest row; all have equal length.
     *
     * @param round number of workers and, as f, number of attackers
     */
    public Forgery(Attack attack, float[][] honest, Round round) {
        this.attack = attack;
        this.honest = honest;
        this.round = round;
        this.length = honest[0].length;
    }

    /** One row per attacker; their ids follow those of the honest rows. */
    public float[][] rows() {
        float[][] rows = new float[round.f()][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = i > 0 && attack.shared() ? rows[0].clone() : row(i);
        }
        return rows;
    }

    private float[] row(int index) {
        int attacker = honest.length + index;
        float[] own = honest[index % honest.length];
        if (attack.whole()) {
            return forge(attacker, 0, 0, own, length);
        }
        float[] row = new float[length];
        for (int block = 0; block < Blocks.count(length); block++) {
            int size = Blocks.length(block, length);
            int from = block * Blocks.SIZE;
            System.arraycopy(forge(attacker, block, from, own, size), 0, row, from, size);
        }
        return row;
    }

    private float[] forge(int attacker, int block, int from, float[] own, int size) {
        boolean sees = attack.sees() == Attack.Sees.HONEST;
        float[][] seen = new float[sees ? honest.length : 0][];
        Arrays.setAll(seen, i -> cut(honest[i], from, size));
        float[] ownPart = attack.sees() == Attack.Sees.OWN ? cut(own, from, size) : null;
        return attack.forge(attacker, block, round, ownPart, seen, size);
    }

    private float[] cut(float[] row, int from, int size) {
        return size == length ? row : Arrays.copyOfRange(row, from, from + size);
    }
}
