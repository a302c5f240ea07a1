package dev.levee.gar;

import dev.levee.gar.attacks.Constant;
import dev.levee.gar.attacks.Dropped;
import dev.levee.gar.attacks.FallOfEmpires;
import dev.levee.gar.attacks.Gaussian;
import dev.levee.gar.attacks.LabelFlip;
import dev.levee.gar.attacks.LittleIsEnough;
import dev.levee.gar.attacks.None;
import dev.levee.gar.attacks.Reversed;
import dev.levee.gar.attacks.SignFlip;
import dev.levee.gar.attacks.Silent;
import dev.levee.gar.attacks.Uniform;
import dev.levee.gar.internal.Registry;

import java.util.List;

/** The attacks by name. */
public final class Attacks {
    private static final Registry<Attack> ATTACKS =
            new Registry<Attack>("attack")
                    .add("none", a -> new None())
                    .add("reversed", a -> new Reversed(a.number("c", 100)), "c")
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
                    .add("sign-flip", a -> new SignFlip())
                    .add("nan", a -> Constant.NAN)
                    .add("inf", a -> Constant.INFINITY)
                    .add("silent", a -> new Silent())
                    .add("label-flip", a -> new LabelFlip())
                    .addAll(AttackFactory.class);

    private Attacks() {}

    /** Names of the attacks. */
    public static List<String> names() {
        return List.copyOf(ATTACKS.names());
    }

    /**
     * Reads an attack such as {@code little-is-enough(z=1.5)}. {@code none} is an attack too: each
     * attacker then sends its own gradient unchanged.
     *
     * @throws IllegalArgumentException if the name, a parameter or its value is wrong
     */
    public static Attack parse(String text) {
        return ATTACKS.parse(text);
    }
}
