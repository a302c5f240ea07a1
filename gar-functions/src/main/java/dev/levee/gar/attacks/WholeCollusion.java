package dev.levee.gar.attacks;

import dev.levee.gar.Round;

/** A collusion whose row is forged as a whole vector. */
interface WholeCollusion extends Collusion {
    @Override
    default boolean whole() {
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
