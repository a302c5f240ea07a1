package dev.levee.federated.plan;

import dev.levee.gar.Arguments;
import dev.levee.gar.NamedParser;

import java.io.Serializable;

/**
 * The weight of a contribution by its staleness τ, the number of versions that the server's model
 * has made since the one that the contribution answers (Xie, Koyejo and Gupta, "Asynchronous
 * Federated Optimization", 2019, section 5.2). The weight is at most 1, which is that of a fresh
 * contribution.
 */
public sealed interface StalenessWeight extends Serializable {
    /** The name that {@link #parse} reads. */
    String name();

    /**
     * s(τ).
     *
     * @param staleness τ, at least 0
     */
    double at(long staleness);

    /**
     * Reads {@code constant}, {@code polynomial(A)} or {@code hinge(A, B)}.
     *
     * @throws IllegalArgumentException if the text has no known form; one sentence
     */
    static StalenessWeight parse(String text) {
        return new NamedParser<StalenessWeight>("weight by staleness")
                .add("constant", arguments -> new Constant())
                .add("polynomial", arguments -> new Polynomial(arguments.number("a")), "a")
                .add(
                        "hinge",
                        arguments -> new Hinge(arguments.number("a"), arguments.number("b")),
                        "a",
                        "b")
                .parse(text);
    }

    private static void require(boolean right, String name, double value) {
        if (!right) {
            throw new IllegalArgumentException(
                    "%s needs a number of at least 0, got %s"
                            .formatted(name, Arguments.text(value)));
        }
    }

    /** s(τ) = 1. */
    record Constant() implements StalenessWeight {
        @Override
        public String name() {
            return "constant";
        }

        @Override
        public double at(long staleness) {
            return 1;
        }
    }

    /**
     * s(τ) = (τ + 1)^−a.
     *
     * @param a at least 0
     */
    record Polynomial(double a) implements StalenessWeight {
        /**
         * Checks the exponent.
         *
         * @throws IllegalArgumentException if it is negative; one sentence
         */
        public Polynomial {
            require(a >= 0 && a < Double.POSITIVE_INFINITY, "polynomial(a)", a);
        }

        @Override
        public String name() {
            return "polynomial(" + Arguments.text(a) + ")";
        }

        @Override
        public double at(long staleness) {
            return StrictMath.pow(staleness + 1, -a);
        }
    }

    /**
     * s(τ) = 1 for τ ≤ b, else 1/(a·(τ − b) + 1).
     *
     * @param a at least 0
     * @param b at least 0
     */
    record Hinge(double a, double b) implements StalenessWeight {
        /**
         * Checks both numbers.
         *
         * @throws IllegalArgumentException if one is negative; one sentence
         */
        public Hinge {
            require(a >= 0 && a < Double.POSITIVE_INFINITY, "a of hinge(a, b)", a);
            require(b >= 0 && b < Double.POSITIVE_INFINITY, "b of hinge(a, b)", b);
        }

        @Override
        public String name() {
            return "hinge(" + Arguments.text(a) + ", " + Arguments.text(b) + ")";
        }

        @Override
        public double at(long staleness) {
            return staleness <= b ? 1 : 1 / (a * (staleness - b) + 1);
        }
    }
}
