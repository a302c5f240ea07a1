package dev.levee.gar.attacks;

import dev.levee.gar.Arguments;
import dev.levee.gar.Round;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;

import java.util.Arrays;

/**
 * Chooses the factor of an attack in each round against a given rule. {@link FactorSearch} searches
 * for the factor that moves the rule's result farthest from mean(h) when all f attackers send the
 * row. The attackers' rows follow the honest ones, and rows have the ids w0, w1, and so on. The
 * rule runs as in a first round, without state. Factors with a non-finite result are ignored.
 *
 * @param family the attack whose factor is searched
 * @param rule the rule to mislead
 */
public record Optimal(Family family, Rule rule) implements WholeCollusion {
    /** Attacks that have one factor. */
    public enum Family {
        /** mean(h) − z·σ, over z. */
        LITTLE_IS_ENOUGH("little-is-enough") {
            @Override
            float[] row(HonestRows honest, double factor) {
                return honest.meanMinus(factor);
            }
        },
        /** −ε·mean(h), over ε. */
        FALL_OF_EMPIRES("fall-of-empires") {
            @Override
            float[] row(HonestRows honest, double factor) {
                return honest.mean(-factor);
            }
        };

        private final String text;

        Family(String text) {
            this.text = text;
        }

        abstract float[] row(HonestRows honest, double factor);
    }

    public Optimal {
        rule.withoutScores("which the attack optimal-" + family.text + " cannot predict");
    }

    /** Reads the argument {@code rule}; the default is krum. */
    public static Optimal of(Family family, Arguments arguments) {
        return new Optimal(family, Rules.parse(arguments.word("rule", "krum")));
    }

    @Override
    public String name() {
        return "optimal-" + family.text + "(rule=" + rule.name() + ")";
    }

    @Override
    public void check(Round round, int honest) {
        rule.check(new Round(honest + round.f(), round.f(), round.number(), round.seed()));
    }

    @Override
    public float[] row(HonestRows honest, Round round) {
        double factor = FactorSearch.best(x -> damage(honest, round, family.row(honest, x)));
        return family.row(honest, factor);
    }

    private double damage(HonestRows seen, Round round, float[] forged) {
        int honest = seen.count();
        float[][] rows = Arrays.copyOf(seen.rows(), honest + round.f());
        Arrays.fill(rows, honest, rows.length, forged);
        return seen.squaredDistanceToMean(Rules.aggregate(rule, rows, round.f(), round.seed()));
    }
}
