package dev.levee.gar.attacks;

import dev.levee.gar.Attack;
import dev.levee.gar.Round;

/** An attack in which all attackers see all honest rows and send the same row, forged whole. */
interface Collusion extends Attack {
    @Override
    default Sees sees() {
        return Sees.HONEST;
    }

    @Override
    default boolean whole() {
        return true;
    }

    @Override
    default boolean shared() {
        return true;
    }

    @Override
    default float[] forge(
            int attacker, int block, Round round, float[] own, float[][] honest, int length) {
        return row(new HonestRows(honest, length), round);
    }

    /** The row that all attackers send. */
    float[] row(HonestRows honest, Round round);
}
