package dev.levee.jobs.internal.config.federated;

import dev.levee.gar.Attack;
import dev.levee.jobs.internal.config.setting.Setting;
import dev.levee.jobs.internal.config.setting.Values;

/** The simulated attack of an experiment. */
public record AttackSettings(
        @Setting(
                        group = "Attack",
                        label = "N",
                        derived = "--byzantine with --attack",
                        range = "[0, 1000000]",
                        help = "Devices that attack: those with the highest ids.")
                Integer attackers,
        @Setting(label = "NAME", derived = "none", help = "What attackers send: ${bundle:attacks}.")
                String attack) {
    /**
     * Sets the default number of attackers, which is the number that the rule tolerates.
     *
     * @throws IllegalArgumentException if attackers are given without an attack; one sentence
     */
    AttackSettings completed(int byzantine) {
        if (attackers != null && attack == null) {
            throw new IllegalArgumentException("--attackers is for runs with --attack");
        }
        return attackers != null || attack == null
                ? this
                : new AttackSettings(Integer.valueOf(byzantine), attack);
    }

    /** The attack, null if there is none. */
    Attack lie() {
        return Values.attack("--attack", attack);
    }

    /** Number of attackers. */
    int count() {
        return attackers == null ? 0 : attackers;
    }
}
