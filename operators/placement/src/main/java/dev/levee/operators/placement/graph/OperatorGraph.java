package dev.levee.operators.placement.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A directed acyclic graph of operators. Operators have ids from 0 in the order in which they were
 * added; outputs have ids from 0 over all operators; edges have ids from 0 in the order in which
 * pairs of operators were first connected. An edge carries the outputs of one operator that another
 * operator reads, or none if it only defines an order. Immutable.
 */
public final class OperatorGraph {
    private final List<Operator> operators;
    private final Map<String, Integer> ids;
    private final int[] firstOutput;
    private final int[] producer;
    private final long[] outputBytes;
    private final int[] from;
    private final int[] to;
    private final int[][] carried;
    private final int[][] in;
    private final int[][] out;
    private final int[] order;
    private final int[] group;
    private final List<String> groupNames;
    private final int[][] members;

    private OperatorGraph(Builder builder) {
        operators = List.copyOf(builder.operators);
        ids = Map.copyOf(builder.ids);
        int size = operators.size();
        firstOutput = new int[size + 1];
        for (int id = 0; id < size; id++) {
            firstOutput[id + 1] = firstOutput[id] + operators.get(id).outputs().size();
        }
        producer = new int[firstOutput[size]];
        outputBytes = new long[firstOutput[size]];
        for (int id = 0; id < size; id++) {
            for (int o = firstOutput[id]; o < firstOutput[id + 1]; o++) {
                producer[o] = id;
                outputBytes[o] = operators.get(id).outputs().get(o - firstOutput[id]).bytes();
            }
        }
        int edges = builder.edges.size();
        from = new int[edges];
        to = new int[edges];
        carried = new int[edges][];
        int edge = 0;
        for (Map.Entry<Long, List<Integer>> each : builder.edges.entrySet()) {
            from[edge] = (int) (each.getKey() >>> 32);
            to[edge] = (int) (long) each.getKey();
            int first = firstOutput[from[edge]];
            carried[edge] = each.getValue().stream().mapToInt(o -> first + o).toArray();
            edge++;
        }
        in = byEnd(to, size);
        out = byEnd(from, size);
        order = sort();
        Map<String, List<Integer>> groups = new LinkedHashMap<>();
        for (int id = 0; id < size; id++) {
            String name = operators.get(id).group();
            if (name != null) {
                groups.computeIfAbsent(name, key -> new ArrayList<>()).add(id);
            }
        }
        groupNames = List.copyOf(groups.keySet());
        members = new int[groups.size()][];
        group = new int[size];
        Arrays.fill(group, -1);
        int number = 0;
        for (List<Integer> each : groups.values()) {
            members[number] = each.stream().mapToInt(Integer::intValue).toArray();
            for (int id : members[number]) {
                group[id] = number;
            }
            number++;
        }
    }

    private static int[][] byEnd(int[] ends, int size) {
        int[] count = new int[size];
        for (int end : ends) {
            count[end]++;
        }
        int[][] lists = new int[size][];
        for (int id = 0; id < size; id++) {
            lists[id] = new int[count[id]];
        }
        for (int edge = ends.length - 1; edge >= 0; edge--) {
            lists[ends[edge]][--count[ends[edge]]] = edge;
        }
        return lists;
    }

    /** Sorts operators with Kahn's algorithm, first in first out. */
    private int[] sort() {
        int size = operators.size();
        int[] sorted = new int[size];
        int[] left = new int[size];
        int end = 0;
        for (int id = 0; id < size; id++) {
            left[id] = in[id].length;
            if (left[id] == 0) {
                sorted[end++] = id;
            }
        }
        for (int next = 0; next < end; next++) {
            for (int edge : out[sorted[next]]) {
                if (--left[to[edge]] == 0) {
                    sorted[end++] = to[edge];
                }
            }
        }
        if (end < size) {
            throw new IllegalArgumentException(
                    "operators must not depend on themselves, but these do: " + cycle(left));
        }
        return sorted;
    }

    /** The names of the operators on one cycle. */
    private String cycle(int[] left) {
        int id = 0;
        while (left[id] == 0) {
            id++;
        }
        // Every remaining operator has a remaining predecessor, so walking back finds a cycle.
        List<Integer> path = new ArrayList<>();
        while (!path.contains(id)) {
            path.add(id);
            for (int edge : in[id]) {
                if (left[from[edge]] > 0) {
                    id = from[edge];
                    break;
                }
            }
        }
        List<String> names = new ArrayList<>();
        for (int i = path.size() - 1; i >= path.indexOf(id); i--) {
            names.add(operators.get(path.get(i)).name());
        }
        names.add(names.get(0));
        return String.join(" → ", names);
    }

    /** This graph with other operators, which must have the same outputs. */
    OperatorGraph with(List<Operator> others) {
        Builder builder = new Builder();
        others.forEach(builder::add);
        for (int edge = 0; edge < from.length; edge++) {
            builder.before(from[edge], to[edge]);
            for (int output : carried[edge]) {
                builder.read(from[edge], place(output), to[edge]);
            }
        }
        return builder.build();
    }

    /** Number of operators. */
    public int size() {
        return operators.size();
    }

    /** All operators by id. */
    public List<Operator> operators() {
        return operators;
    }

    /** An operator. */
    public Operator operator(int id) {
        return operators.get(id);
    }

    /**
     * The id of an operator.
     *
     * @throws IllegalArgumentException if there is none of that name; one sentence
     */
    public int id(String name) {
        Integer id = ids.get(name);
        if (id == null) {
            throw new IllegalArgumentException("there is no operator " + name);
        }
        return id;
    }

    /** Number of edges. */
    public int edges() {
        return from.length;
    }

    /** The operator that an edge comes from. */
    public int from(int edge) {
        return from[edge];
    }

    /** The operator that an edge goes to. */
    public int to(int edge) {
        return to[edge];
    }

    /** Ids of the outputs that an edge carries; not to be changed. */
    public int[] carried(int edge) {
        return carried[edge];
    }

    /** Edges to an operator; not to be changed. */
    public int[] in(int id) {
        return in[id];
    }

    /** Edges from an operator; not to be changed. */
    public int[] out(int id) {
        return out[id];
    }

    /** Number of outputs of all operators. */
    public int outputs() {
        return producer.length;
    }

    /** The id of an operator's first output; its others follow. */
    public int firstOutput(int id) {
        return firstOutput[id];
    }

    /** The operator of an output. */
    public int producer(int output) {
        return producer[output];
    }

    /** Bytes of an output. */
    public long bytes(int output) {
        return outputBytes[output];
    }

    /** The index of an output among the outputs of its operator. */
    public int place(int output) {
        return output - firstOutput[producer[output]];
    }

    /** Operators in topological order (Kahn's algorithm, first in first out); not to be changed. */
    public int[] order() {
        return order;
    }

    /** The colocation group of an operator, or −1. */
    public int group(int id) {
        return group[id];
    }

    /** Number of colocation groups. */
    public int groups() {
        return groupNames.size();
    }

    /** Operators of a colocation group; not to be changed. */
    public int[] members(int number) {
        return members[number];
    }

    /**
     * The device that each operator is bound to, directly or through its group, or −1.
     *
     * @throws IllegalArgumentException if there is no such device or a group is bound to two; one
     *     sentence
     */
    public int[] bound(DeviceCluster cluster) {
        int[] bound = new int[size()];
        int[] ofGroup = new int[groups()];
        Arrays.fill(ofGroup, -1);
        for (int id = 0; id < size(); id++) {
            String name = operators.get(id).device();
            bound[id] = name == null ? -1 : cluster.index(name);
            if (bound[id] >= 0 && group[id] >= 0) {
                int before = ofGroup[group[id]];
                if (before >= 0 && before != bound[id]) {
                    throw new IllegalArgumentException(
                            "colocation group %s is bound to %s and to %s"
                                    .formatted(
                                            groupNames.get(group[id]),
                                            cluster.device(before).name(),
                                            name));
                }
                ofGroup[group[id]] = bound[id];
            }
        }
        for (int id = 0; id < size(); id++) {
            if (group[id] >= 0) {
                bound[id] = ofGroup[group[id]];
            }
        }
        return bound;
    }

    /** Collects operators and edges. */
    public static final class Builder {
        private final List<Operator> operators = new ArrayList<>();
        private final Map<String, Integer> ids = new HashMap<>();
        private final Map<Long, List<Integer>> edges = new LinkedHashMap<>();

        /**
         * Adds an operator.
         *
         * @return its id
         * @throws IllegalArgumentException if its name is taken; one sentence
         */
        public int add(Operator operator) {
            int id = operators.size();
            if (ids.putIfAbsent(operator.name(), id) != null) {
                throw new IllegalArgumentException("two operators are called " + operator.name());
            }
            operators.add(operator);
            return id;
        }

        /**
         * Makes one operator read an output of another.
         *
         * @param output index of the output among the producer's outputs
         * @throws IllegalArgumentException if there is no such operator or output; one sentence
         */
        public Builder read(String producer, int output, String reader) {
            return read(id(producer), output, id(reader));
        }

        /** Makes one operator read an output of another, by their ids. */
        public Builder read(int producer, int output, int reader) {
            int outputs = operators.get(producer).outputs().size();
            if (output < 0 || output >= outputs) {
                throw new IllegalArgumentException(
                        "%s reads output %d of %s, which has %d"
                                .formatted(
                                        operators.get(reader).name(),
                                        output,
                                        operators.get(producer).name(),
                                        outputs));
            }
            List<Integer> carried = edge(producer, reader);
            if (!carried.contains(output)) {
                carried.add(output);
            }
            return this;
        }

        /** Makes one operator run before another without passing data, by their ids. */
        public Builder before(int first, int second) {
            edge(first, second);
            return this;
        }

        private List<Integer> edge(int first, int second) {
            return edges.computeIfAbsent((long) first << 32 | second, key -> new ArrayList<>());
        }

        /**
         * The id of an operator that was added.
         *
         * @throws IllegalArgumentException if there is no operator of that name; one sentence
         */
        public int id(String name) {
            Integer id = ids.get(name);
            if (id == null) {
                throw new IllegalArgumentException("there is no operator " + name);
            }
            return id;
        }

        /** Number of outputs of an operator that was added. */
        public int outputs(int id) {
            return operators.get(id).outputs().size();
        }

        /**
         * Builds the graph.
         *
         * @throws IllegalArgumentException if the graph is empty, needs too many bytes or has a
         *     cycle; one sentence that names the operators on the cycle
         */
        public OperatorGraph build() {
            if (operators.isEmpty()) {
                throw new IllegalArgumentException("a graph must have at least one operator");
            }
            if (operators.stream().mapToDouble(Operator::bytes).sum() > Operator.MOST_BYTES) {
                throw new IllegalArgumentException(
                        "the operators of a graph must need at most %,d bytes in total"
                                .formatted(Operator.MOST_BYTES));
            }
            return new OperatorGraph(this);
        }
    }
}
