package dev.levee.gar;

import dev.levee.gar.attacks.AntiCge;
import dev.levee.gar.attacks.BulyanAttack;
import dev.levee.gar.attacks.Constant;
import dev.levee.gar.attacks.Dissensus;
import dev.levee.gar.attacks.Dropped;
import dev.levee.gar.attacks.Equivocation;
import dev.levee.gar.attacks.FallOfEmpires;
import dev.levee.gar.attacks.Gaussian;
import dev.levee.gar.attacks.LabelFlip;
import dev.levee.gar.attacks.LittleIsEnough;
import dev.levee.gar.attacks.Mimic;
import dev.levee.gar.attacks.MinMax;
import dev.levee.gar.attacks.MinSum;
import dev.levee.gar.attacks.None;
import dev.levee.gar.attacks.Optimal;
import dev.levee.gar.attacks.Perturbation;
import dev.levee.gar.attacks.Reversed;
import dev.levee.gar.attacks.SignFlip;
import dev.levee.gar.attacks.Silent;
import dev.levee.gar.attacks.Uniform;
import dev.levee.gar.block.Blocks;

import java.util.List;

/** The attacks by name. */
public final class Attacks {
    private static final NamedParser<Attack> ATTACKS =
            new NamedParser<Attack>("attack")
                    .add("none", a -> new None())
                    .add(
                            "reversed",
                            a -> new Reversed(a.number("c", 100), a.positive("every", 1)),
                            "c",
                            "every")
                    .add("random", a -> new Uniform())
                    .add(
                            "gaussian",
                            a -> new Gaussian(a.number("mean", 0), a.number("std", 1)),
                            "mean",
                            "std")
                    .add("dropped", a -> new Dropped(a.number("p", 0.3)), "p")
                    .add("drop", a -> new Dropped(a.number("p", 0.3)), "p")
                    .add(
                            "little-is-enough",
                            a -> new LittleIsEnough(a.number("z", Double.NaN)),
                            "z")
                    .add(
                            "fall-of-empires",
                            a -> new FallOfEmpires(a.number("epsilon", 0.1)),
                            "epsilon")
                    .add("sign-flip", a -> new SignFlip(a.flag("mean")), "mean")
                    .add("equivocation", a -> new Equivocation(a.number("c", 10)), "c")
                    .add("dissensus", a -> new Dissensus(a.number("epsilon", 1)), "epsilon")
                    .add("mimic", a -> new Mimic(a.index("i", 0)), "i")
                    .add("min-max", a -> new MinMax(Perturbation.of(a)), "direction")
                    .add(
                            "min-sum",
                            a -> new MinSum(Perturbation.of(a), a.flag("least")),
                            "direction",
                            "least")
                    .add("anti-cge", a -> new AntiCge())
                    .add("bulyan-attack", BulyanAttack::of, "gamma", "coordinate")
                    .add(
                            "optimal-little-is-enough",
                            a -> Optimal.of(Optimal.Family.LITTLE_IS_ENOUGH, a),
                            "rule")
                    .add(
                            "optimal-fall-of-empires",
                            a -> Optimal.of(Optimal.Family.FALL_OF_EMPIRES, a),
                            "rule")
                    .add("nan", a -> Constant.NAN)
                    .add("inf", a -> Constant.INFINITY)
                    .add("silent", a -> new Silent(a.index("after", 0)), "after")
                    .add("label-flip", a -> new LabelFlip())
                    .addAll(AttackFactory.class);

    private Attacks() {}

    /** Names of the attacks. */
    public static List<String> names() {
        return List.copyOf(ATTACKS.names());
    }

    /**
     * Parses an attack such as {@code little-is-enough(z=1.5)}. With {@code none}, attackers send
     * their own gradients unchanged.
     *
     * @throws IllegalArgumentException if the name, a parameter or its value is wrong
     */
    public static Attack parse(String text) {
        return ATTACKS.parse(text);
    }

    /**
     * Forges the rows of a round on whole vectors in memory. If an attack transforms the attacker's
     * own gradient, the first attacker uses a copy of row 0, the second attacker a copy of row 1,
     * and so on, cyclically.
     *
     * @param attack the attack
     * @param honest the honest rows, d coordinates each; not changed
     * @param attackers number of attackers; their ids follow those of the honest rows
     * @param round the round's number
     * @param seed seed of the attack's draws
     * @return {@code attackers} rows of d coordinates
     * @throws IllegalArgumentException if there are no honest rows, they differ in length, the
     *     number of attackers is negative, or the attack does not work on vectors or with these
     *     numbers of rows and attackers
     */
    public static float[][] rows(
            Attack attack, float[][] honest, int attackers, long round, long seed) {
        if (!attack.forges()) {
            throw new IllegalArgumentException(
                    ("attack %s acts where gradients are computed, so it sends no rows of "
                                    + "its own; choose an attack that does, such as sign-flip")
                            .formatted(attack.name()));
        }
        if (attackers < 0) {
            throw new IllegalArgumentException(
                    "the number of attackers must be 0 or more, got " + attackers);
        }
        if (honest.length == 0) {
            throw new IllegalArgumentException(
                    "attack " + attack.name() + " needs at least one honest row, got none");
        }
        for (int i = 1; i < honest.length; i++) {
            if (honest[i].length != honest[0].length) {
                throw new IllegalArgumentException(
                        "all rows must have %d coordinates, row %d has %d"
                                .formatted(honest[0].length, i, honest[i].length));
            }
        }
        Round forged = new Round(honest.length + attackers, attackers, round, seed);
        if (attackers > 0) {
            attack.check(forged, honest.length);
        }
        float[][] rows = new float[attackers][];
        for (int i = 0; i < attackers; i++) {
            rows[i] =
                    i > 0 && attack.shared()
                            ? rows[0].clone()
                            : attack.forgeRow(
                                    honest.length + i,
                                    forged,
                                    honest[i % honest.length],
                                    honest,
                                    honest[0].length,
                                    Blocks.SIZE);
        }
        return rows;
    }
}
