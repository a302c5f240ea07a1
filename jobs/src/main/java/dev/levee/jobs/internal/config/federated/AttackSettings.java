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
     * Sets the default number of attackers, which is the number that the rule tolerates. It stays
     * null if that is 0, so that an attack without attackers is refused.
     *
     * @throws IllegalArgumentException if attackers are given without an attack; one sentence
     */
    AttackSettings completed(int byzantine) {
        if (attackers != null && attack == null) {
            throw new IllegalArgumentException("--attackers is for runs with --attack");
        }
        boolean attacks = attack != null && !attack.equals("none");
        return attackers != null || attack == null || attacks && byzantine == 0
                ? this
                : new AttackSettings(Integer.valueOf(byzantine), attack);
    }

    /**
     * The attack, null if there is none.
     *
     * @throws IllegalArgumentException if nobody attacks; one sentence
     */
    Attack lie() {
        Attack lie = Values.attack("--attack", attack);
        if (lie != null && attackers == null) {
            throw new IllegalArgumentException(
                    "--attack %s needs --attackers or --byzantine of at least 1".formatted(attack));
        }
        return lie;
    }

    /** Number of attackers. */
    int count() {
        return attackers == null ? 0 : attackers;
    }
}
