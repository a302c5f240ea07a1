package dev.levee.operators.rounds.adversary;

import dev.levee.gar.Attack;
import dev.levee.operators.rounds.vector.Slices;

import java.io.Serializable;

/**
 * Parts of the vector that an adversary must see together: single blocks, or all of them if the
 * attack forges whole rows.
 *
 * @param slices the division of gradients into blocks
 * @param whole true for one part with all blocks
 */
public record AttackParts(Slices slices, boolean whole) implements Serializable {
    /** The parts that an attack works on; single blocks if it is null. */
    public static AttackParts of(Slices slices, Attack attack) {
        return new AttackParts(slices, attack != null && attack.whole());
    }

    /** Number of parts. */
    public int count() {
        return whole ? 1 : slices.count();
    }

    /** The part that a block belongs to; some part for a block that does not exist. */
    public int of(int block) {
        return whole ? 0 : Math.floorMod(block, slices.count());
    }

    /** First block of a part. */
    public int first(int part) {
        return whole ? 0 : part;
    }

    /** Number of blocks of each part. */
    public int blocks() {
        return whole ? slices.count() : 1;
    }
}
