package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reference;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.util.Arrays;
import java.util.List;

/**
 * ClippedGossip: moves from a node's model v toward its neighbors' models, v ← v + Σ W_i (x_i −
 * v)·min(1, τ/‖x_i − v‖), with the graph's mixing weights W (He, Karimireddy, Jaggi,
 * "Byzantine-Robust Decentralized Learning via ClippedGossip", 2022, algorithm 1). v is the
 * previous aggregate, zero in the first round. Unweighted rows have weight 1/n. Non-finite rows are
 * ignored.
 *
 * @param tau τ, above 0, or {@link #AUTO}: the largest distance after dropping the f largest
 */
public record ClippedGossip(double tau) implements MajorityRule, WeightedRule {
    /** The τ that follows from the distances. */
    public static final double AUTO = -1;

    private static final Look LOOK = new Look(false, true, false, List.of(Reference.PREVIOUS));

    public ClippedGossip {
        if (!(tau > 0) && tau != AUTO) {
            throw new IllegalArgumentException(
                    "clipped-gossip: tau must be above 0 or auto, got " + Arguments.text(tau));
        }
    }

    /** Reads {@code tau}, a number or {@code auto}. */
    public static ClippedGossip of(Arguments arguments) {
        boolean auto = arguments.word("tau", "auto").equals("auto");
        double tau = auto ? AUTO : arguments.number("tau", 0);
        if (!auto && tau == AUTO) {
            throw new IllegalArgumentException(
                    "clipped-gossip: tau must be above 0 or auto, got " + Arguments.text(tau));
        }
        return new ClippedGossip(tau);
    }

    @Override
    public String name() {
        return tau == AUTO ? "clipped-gossip" : "clipped-gossip(tau=" + Arguments.text(tau) + ")";
    }

    @Override
    public Look look() {
        return LOOK;
    }

    @Override
    public boolean gossips() {
        return true;
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        double[] distances = Norms.of(looked, round.rows());
        return CenteredClipping.step(distances, bound(distances, round.f()), round);
    }

    private double bound(double[] distances, int f) {
        if (tau != AUTO) {
            return tau;
        }
        double[] sorted = distances.clone();
        Arrays.sort(sorted);
        return Math.min(sorted[sorted.length - 1 - f], Double.MAX_VALUE);
    }
}
