package dev.levee.gar;

import dev.levee.gar.internal.Provider;
import dev.levee.gar.rules.AdaptiveClipping;
import dev.levee.gar.rules.Aksel;
import dev.levee.gar.rules.Average;
import dev.levee.gar.rules.Bucketing;
import dev.levee.gar.rules.Bulyan;
import dev.levee.gar.rules.Caf;
import dev.levee.gar.rules.CapWeights;
import dev.levee.gar.rules.CenteredClipping;
import dev.levee.gar.rules.Clip;
import dev.levee.gar.rules.ClippedClustering;
import dev.levee.gar.rules.ClippedGossip;
import dev.levee.gar.rules.ComparativeElimination;
import dev.levee.gar.rules.DivideAndConquer;
import dev.levee.gar.rules.Flag;
import dev.levee.gar.rules.GeometricMedian;
import dev.levee.gar.rules.Krum;
import dev.levee.gar.rules.KrumScore;
import dev.levee.gar.rules.Mda;
import dev.levee.gar.rules.MeanAroundMedian;
import dev.levee.gar.rules.Median;
import dev.levee.gar.rules.Monna;
import dev.levee.gar.rules.MultiKrum;
import dev.levee.gar.rules.NearestNeighbourMixing;
import dev.levee.gar.rules.NormThreshold;
import dev.levee.gar.rules.Phocas;
import dev.levee.gar.rules.Pipeline;
import dev.levee.gar.rules.SignGuard;
import dev.levee.gar.rules.Smea;
import dev.levee.gar.rules.TrimmedMean;
import dev.levee.gar.rules.Zeno;
import dev.levee.gar.rules.ZenoPlusPlus;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The rules and pre-aggregations by name. */
public final class Rules {
    private static final NamedParser<Rule> RULES =
            new NamedParser<Rule>("rule")
                    .add("average", a -> new Average())
                    .add("median", a -> new Median(a.flag("lower")), "lower")
                    .add("trimmed-mean", a -> new TrimmedMean())
                    .add("meamed", a -> new MeanAroundMedian())
                    .add("phocas", a -> new Phocas())
                    .add("geometric-median", GeometricMedian::of, "nu", "iterations", "start")
                    .add("centered-clipping", CenteredClipping::of, "tau", "iterations")
                    .add("clipped-gossip", ClippedGossip::of, "tau")
                    .add("krum", a -> new Krum(KrumScore.of(a)), "neighbours", "plain", "score")
                    .add("multi-krum", MultiKrum::of, "m", "neighbours", "plain", "score")
                    .add(
                            "bulyan",
                            a -> Bulyan.of(a, Rules::parse),
                            "rule",
                            "single-pass",
                            "variant")
                    .add("mda", a -> new Mda())
                    .add("smea", a -> new Smea())
                    .add("caf", a -> new Caf())
                    .add("flag", Flag::of, "m", "lambda", "rows")
                    .add("monna", a -> new Monna(a.word("trusted", Monna.DEFAULT)), "trusted")
                    .add("aksel", a -> new Aksel(a.flag("nearest")), "nearest")
                    .add("dnc", DivideAndConquer::of, "iterations", "dimensions", "c")
                    .add("sign-guard", SignGuard::of, "similarity")
                    .add("clipped-clustering", a -> new ClippedClustering())
                    .add("cge", a -> new ComparativeElimination())
                    .add("norm-threshold", NormThreshold::of, "multiple", "bound")
                    .add(
                            "zeno",
                            a ->
                                    new Zeno(
                                            a.number("rho", Zeno.DEFAULT_RHO),
                                            a.positive("b", 0),
                                            a.flag("mean-square")),
                            "rho",
                            "b",
                            "mean-square")
                    .add("zeno++", ZenoPlusPlus::of, "rho", "epsilon", "c")
                    .addAll(RuleFactory.class);

    private static final NamedParser<PreAggregation> PRE_AGGREGATIONS =
            new NamedParser<PreAggregation>("pre-aggregation")
                    .add("clip", Clip::of, "c")
                    .add("nnm", a -> new NearestNeighbourMixing())
                    .add("bucketing", a -> new Bucketing(a.positive("s", 2)), "s")
                    .add("arc", a -> new AdaptiveClipping())
                    .add("cap-weights", a -> new CapWeights(a.number("factor", 1)), "factor")
                    .addAll(PreAggregationFactory.class);

    private Rules() {}

    /** Names of the rules. */
    public static List<String> names() {
        return List.copyOf(RULES.names());
    }

    /** Names of the pre-aggregations. */
    public static List<String> preAggregations() {
        return List.copyOf(PRE_AGGREGATIONS.names());
    }

    /**
     * Reads a rule such as {@code multi-krum(m=5)}, or a pipeline of pre-aggregations that ends in
     * a rule, such as {@code clip(2) | nnm | trimmed-mean}. Because the rule will probably be used,
     * this also starts to compile the kernels, on a separate thread.
     *
     * @throws IllegalArgumentException if a name, a parameter or its value is wrong
     */
    public static Rule parse(String text) {
        List<String> stages = NamedParser.split(text, '|');
        String end = stages.get(stages.size() - 1);
        if (PRE_AGGREGATIONS.knows(end)) {
            throw new IllegalArgumentException(
                    "%s is a pre-aggregation: a rule must follow it, such as %s | average"
                            .formatted(end.strip(), end.strip()));
        }
        Rule rule = RULES.parse(end);
        List<PreAggregation> before = new ArrayList<>();
        for (String stage : stages.subList(0, stages.size() - 1)) {
            if (RULES.knows(stage)) {
                throw new IllegalArgumentException(
                        stage.strip() + " is a rule: only pre-aggregations can precede a |");
            }
            before.add(PRE_AGGREGATIONS.parse(stage));
        }
        Provider.prepare();
        return before.isEmpty() ? rule : new Pipeline(before, rule);
    }

    /** The rule without parameters of that name; empty if it needs some, or is unknown. */
    public static Optional<Rule> plain(String name) {
        try {
            return Optional.of(parse(name));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * Aggregates whole vectors once, as a first round.
     *
     * @param rule the rule
     * @param rows n rows of d coordinates; not changed
     * @param f number of Byzantine rows to tolerate
     * @param seed seed of the rule's random draws
     * @return d coordinates
     * @throws IllegalArgumentException if there are too few rows for f, or rows differ in length
     */
    public static float[] aggregate(Rule rule, float[][] rows, int f, long seed) {
        return new Aggregator(rule, f, seed).aggregate(rows);
    }
}
