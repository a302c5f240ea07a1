package dev.levee.gar.attacks;

import dev.levee.gar.Attack;

/** An attack in which all attackers see all honest rows and send the same row. */
interface Collusion extends Attack {
    @Override
    default Sees sees() {
        return Sees.HONEST;
    }

    @Override
    default boolean shared() {
        return true;
    }
}
