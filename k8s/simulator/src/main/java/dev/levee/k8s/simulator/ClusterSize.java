package dev.levee.k8s.simulator;

import dev.levee.k8s.allocator.Apportionment;
import dev.levee.k8s.allocator.SlotClass;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The nodes of a simulated cluster.
 *
 * @param groups groups of equal nodes
 */
public record ClusterSize(List<NodeGroup> groups) {
    private static final Pattern GROUP =
            Pattern.compile("([1-9]\\d{0,4})x([1-9]\\d{0,4})(?:@(\\d{1,3}(?:\\.\\d{1,6})?))?");

    /** Copies the list. */
    public ClusterSize {
        groups = List.copyOf(groups);
    }

    /** A cluster of equal nodes. */
    public ClusterSize(int nodes, int slotsPerNode) {
        this(List.of(new NodeGroup(nodes, slotsPerNode, 1)));
    }

    /**
     * Parses a size such as {@code 16x4} (nodes × slots per node), or {@code 8x4,8x4@0.5} with
     * nodes of different relative speed.
     *
     * @throws IllegalArgumentException if the text is invalid; one sentence
     */
    public static ClusterSize parse(String text) {
        List<NodeGroup> groups = new ArrayList<>();
        for (String each : text.split(",", -1)) {
            Matcher group = GROUP.matcher(each);
            double speed = 0;
            if (group.matches()) {
                speed = group.group(3) == null ? 1 : Double.parseDouble(group.group(3));
            }
            if (!(speed > 0)) {
                throw new IllegalArgumentException(
                        "--cluster must be NODESxSLOTS, such as 16x4, or several of them with"
                                + " speeds above 0, such as 8x4,8x4@0.5, got "
                                + text);
            }
            groups.add(
                    new NodeGroup(
                            Integer.parseInt(group.group(1)),
                            Integer.parseInt(group.group(2)),
                            speed));
        }
        return new ClusterSize(groups);
    }

    /** Number of workers that the cluster has room for. */
    public int slots() {
        return groups.stream().mapToInt(NodeGroup::slots).reduce(0, Math::addExact);
    }

    /**
     * A part of the cluster. Each group contributes in proportion, by largest remainders, with full
     * nodes except for one.
     *
     * @param slots number of slots of the part, 1 to {@link #slots()}
     */
    ClusterSize part(int slots) {
        if (slots == slots()) {
            return this;
        }
        int[] counts =
                Apportionment.of(slots, groups.stream().mapToInt(NodeGroup::slots).toArray());
        List<NodeGroup> part = new ArrayList<>();
        for (int g = 0; g < counts.length; g++) {
            int perNode = groups.get(g).slotsPerNode();
            double speed = groups.get(g).speed();
            if (counts[g] >= perNode) {
                part.add(new NodeGroup(counts[g] / perNode, perNode, speed));
            }
            if (counts[g] % perNode > 0) {
                part.add(new NodeGroup(1, counts[g] % perNode, speed));
            }
        }
        return new ClusterSize(part);
    }

    /** The cluster's slots by speed. */
    List<SlotClass> classes() {
        TreeMap<Double, List<NodeGroup>> bySpeed = new TreeMap<>();
        for (NodeGroup group : groups) {
            bySpeed.computeIfAbsent(group.speed(), speed -> new ArrayList<>()).add(group);
        }
        List<SlotClass> classes = new ArrayList<>();
        bySpeed.forEach(
                (speed, equal) -> {
                    int slots = equal.stream().mapToInt(NodeGroup::slots).sum();
                    int perNode =
                            equal.stream().mapToInt(NodeGroup::slotsPerNode).max().orElseThrow();
                    classes.add(new SlotClass(speed, slots, perNode));
                });
        return classes;
    }
}
