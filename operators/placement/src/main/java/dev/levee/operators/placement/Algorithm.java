package dev.levee.operators.placement;

import dev.levee.operators.placement.algorithm.ContiguousStages;
import dev.levee.operators.placement.algorithm.ExactSearch;
import dev.levee.operators.placement.algorithm.MEtf;
import dev.levee.operators.placement.algorithm.MSct;
import dev.levee.operators.placement.algorithm.MTopo;
import dev.levee.operators.placement.algorithm.Placer;
import dev.levee.operators.placement.algorithm.RoundRobin;
import dev.levee.operators.placement.algorithm.SingleDevice;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The algorithms by name. */
public enum Algorithm {
    /** Fills devices with an even share each, one after the other. */
    M_TOPO(options -> new MTopo(false)),
    /** Fills devices up to their memory, one after the other. */
    M_TOPO_FULL(options -> new MTopo(true)),
    /** Places the operator that can start earliest first. */
    M_ETF(options -> new MEtf(options.reserve())),
    /** As {@link #M_ETF}, with favorite children. */
    M_SCT(options -> new MSct(options.reserve(), options.threshold())),
    /** Places everything on one device. */
    SINGLE(options -> new SingleDevice()),
    /** Assigns operators to devices in turn. */
    ROUND_ROBIN(options -> new RoundRobin()),
    /** Splits the graph into balanced contiguous stages. */
    STAGES(options -> new ContiguousStages()),
    /** Finds the shortest of all schedules of a small graph. */
    EXACT(options -> new ExactSearch());

    private final Function<PlacementOptions, Placer> factory;

    Algorithm(Function<PlacementOptions, Placer> factory) {
        this.factory = factory;
    }

    /** Creates the algorithm with the given options. */
    public Placer placer(PlacementOptions options) {
        return factory.apply(options);
    }

    /** The name on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The algorithm with a name.
     *
     * @throws IllegalArgumentException if there is none; a phrase
     */
    public static Algorithm parse(String name) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "must be one of %s, got %s"
                                                .formatted(
                                                        Arrays.stream(values())
                                                                .map(Algorithm::label)
                                                                .collect(Collectors.joining(", ")),
                                                        name)));
    }
}
