package dev.levee.jobs.internal.placement;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto.Dimension;
import ai.onnx.proto.OnnxMl.ValueInfoProto;

import com.google.protobuf.InvalidProtocolBufferException;

import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.graph.Output;
import dev.levee.operators.placement.graph.TrainingStep;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads an ONNX model as a graph of operators. Memory follows from the shapes in the file, and time
 * from the floating-point operations that {@link OnnxOperations} counts.
 */
public final class OnnxFile {
    /**
     * Facts that the file does not contain.
     *
     * @param flops floating-point operations per second of a device of speed 1
     * @param batch size of an open first dimension
     * @param vectors number of values that the optimizer keeps for each trained parameter
     * @param training true to place the training step, false for the forward pass only
     */
    public record Assumptions(double flops, int batch, int vectors, boolean training) {}

    /** A backward pass computes two gradients of the size of the forward pass. */
    private static final double BACKWARD = 2;

    /** The operator that produces a value, and the number of its output. */
    private record Source(int operator, int output) {}

    private final Path path;
    private final Assumptions assumptions;
    private final Set<String> batchNames = new HashSet<>();
    private final Map<String, OnnxTensor> shapes = new HashMap<>();
    private final Map<String, OnnxTensor> constants = new HashMap<>();
    private final Map<String, long[]> numbers = new HashMap<>();
    private final Map<String, Source> sources = new HashMap<>();
    private final OperatorGraph.Builder graph = new OperatorGraph.Builder();
    private final Map<NodeProto, String> groups;
    private final Map<NodeProto, String> nodeNames = new IdentityHashMap<>();
    private final Set<String> names = new HashSet<>();
    private final Set<String> counted = new HashSet<>();

    private OnnxFile(Path path, Assumptions assumptions, GraphProto model) {
        this.path = path;
        this.assumptions = assumptions;
        groups = sharing(model);
        model.getInitializerList().forEach(each -> constant(each.getName(), each));
        for (ValueInfoProto each : model.getInputList()) {
            List<Dimension> dimensions = each.getType().getTensorType().getShape().getDimList();
            if (!dimensions.isEmpty() && dimensions.get(0).hasDimParam()) {
                batchNames.add(dimensions.get(0).getDimParam());
            }
        }
        model.getInputList().forEach(this::shape);
        model.getOutputList().forEach(this::shape);
        model.getValueInfoList().forEach(this::shape);
    }

    /**
     * Reads a model.
     *
     * @throws IllegalArgumentException if the file is no such model, or an operator has no fixed
     *     shape; one sentence
     */
    public static OperatorGraph read(Path path, Assumptions assumptions) {
        ModelProto model;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
            model = ModelProto.parseFrom(in);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no file " + path, e);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException(path + " is not an ONNX file", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    path + " cannot be read: " + e.getClass().getSimpleName(), e);
        }
        if (model.getGraph().getNodeCount() == 0) {
            throw new IllegalArgumentException(path + " is not an ONNX file or has no operators");
        }
        OperatorGraph forward =
                new OnnxFile(path, assumptions, model.getGraph()).build(model.getGraph());
        return assumptions.training() ? TrainingStep.of(forward, BACKWARD) : forward;
    }

    private void shape(ValueInfoProto value) {
        OnnxTensor.of(value.getType(), assumptions.batch(), batchNames)
                .ifPresent(shape -> shapes.put(value.getName(), shape));
    }

    private OperatorGraph build(GraphProto model) {
        for (ValueInfoProto each : model.getInputList()) {
            if (!constants.containsKey(each.getName())) {
                OnnxTensor shape = shapes.get(each.getName());
                if (shape == null) {
                    throw unknown("input " + each.getName(), each.getName());
                }
                sources.put(
                        each.getName(),
                        new Source(
                                graph.add(
                                        Operator.of(unique(each.getName()), 0)
                                                .withOutputs(shape.bytes())),
                                0));
            }
        }
        Set<String> read = new HashSet<>();
        model.getNodeList().forEach(each -> read.addAll(each.getInputList()));
        model.getOutputList().forEach(each -> read.add(each.getName()));
        // An omitted input or output has an empty name.
        read.remove("");
        for (NodeProto node : model.getNodeList()) {
            if (node.getOpType().equals("Constant")) {
                constant(node);
            } else {
                add(node, read);
            }
        }
        for (NodeProto node : model.getNodeList()) {
            connect(node);
        }
        return graph.build();
    }

    /** Adds a constant, with its values if it is a list of whole numbers in this file. */
    private void constant(String name, TensorProto tensor) {
        constants.put(name, OnnxTensor.of(tensor));
        if (tensor.getDataType() == TensorProto.DataType.INT64_VALUE
                && tensor.getDimsCount() <= 1
                && tensor.getDataLocation() != TensorProto.DataLocation.EXTERNAL) {
            numbers.put(name, OnnxTensor.wholeNumbers(tensor));
        }
    }

    /**
     * Adds a constant node. A constant without shape, such as a list of numbers, takes negligible
     * memory.
     */
    private void constant(NodeProto node) {
        String name = node.getOutput(0);
        constants.put(name, new OnnxTensor(TensorProto.DataType.INT64_VALUE, List.of()));
        node.getAttributeList().stream()
                .filter(each -> each.getName().equals("value"))
                .forEach(each -> constant(name, each.getT()));
    }

    private void add(NodeProto node, Set<String> read) {
        String name = name(node);
        for (AttributeProto each : node.getAttributeList()) {
            if (each.getType() == AttributeProto.AttributeType.GRAPH) {
                throw new IllegalArgumentException(
                        "operator %s (%s) of %s contains a subgraph, whose cost depends on the data"
                                .formatted(name, node.getOpType(), path));
            }
        }
        List<OnnxTensor> inputs = new ArrayList<>();
        long persistent = 0;
        for (String each : node.getInputList()) {
            OnnxTensor constant = constants.get(each);
            // A constant that several operators of a group read is counted once.
            if (constant != null && (!shared(constant) || counted.add(each))) {
                persistent += persistent(constant);
            }
            inputs.add(constant == null ? shapes.get(each) : constant);
        }
        infer(node, inputs);
        List<Output> outputs = new ArrayList<>();
        List<OnnxTensor> known = new ArrayList<>();
        for (String each : node.getOutputList()) {
            OnnxTensor shape = shapes.get(each);
            if (shape == null && read.contains(each)) {
                throw unknown("operator " + name + " (" + node.getOpType() + ")", each);
            }
            if (shape != null) {
                known.add(shape);
            }
            // Outputs that nobody reads, such as the mask of a dropout layer, take no memory.
            outputs.add(Output.of(shape == null ? 0 : shape.bytes()));
        }
        int id =
                graph.add(
                        Operator.of(name, seconds(node, inputs, known))
                                .withPersistent(persistent)
                                .withOutputs(outputs)
                                .withGroup(groups.get(node)));
        for (int output = 0; output < node.getOutputCount(); output++) {
            if (!node.getOutput(output).isEmpty()) {
                sources.put(node.getOutput(output), new Source(id, output));
            }
        }
    }

    /**
     * Infers the shapes of outputs. Shapes that neither the file nor the inputs determine stay
     * unknown.
     */
    private void infer(NodeProto node, List<OnnxTensor> inputs) {
        List<long[]> values = new ArrayList<>();
        node.getInputList().forEach(each -> values.add(numbers.get(each)));
        long[] value = OnnxShapes.value(node, inputs, values);
        List<OnnxTensor> inferred = OnnxShapes.of(node, inputs, values);
        int count = Math.min(inferred.size(), node.getOutputCount());
        for (int output = 0; output < count; output++) {
            if (!node.getOutput(output).isEmpty()) {
                shapes.putIfAbsent(node.getOutput(output), inferred.get(output));
            }
        }
        if (value != null) {
            numbers.put(node.getOutput(0), value);
            shapes.putIfAbsent(
                    node.getOutput(0),
                    new OnnxTensor(TensorProto.DataType.INT64_VALUE, List.of((long) value.length)));
        }
    }

    private double seconds(NodeProto node, List<OnnxTensor> inputs, List<OnnxTensor> outputs) {
        try {
            return OnnxOperations.count(node, inputs, outputs) / assumptions.flops();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "operator %s of %s: %s".formatted(name(node), path, e.getMessage()), e);
        }
    }

    private void connect(NodeProto node) {
        if (node.getOpType().equals("Constant")) {
            return;
        }
        int reader = graph.id(name(node));
        for (String each : node.getInputList()) {
            Source source = sources.get(each);
            if (source != null) {
                graph.read(source.operator(), source.output(), reader);
            } else if (!each.isEmpty() && !constants.containsKey(each)) {
                throw new IllegalArgumentException(
                        "%s reads %s, which no operator in %s produces"
                                .formatted(name(node), each, path));
            }
        }
    }

    /**
     * Bytes that a constant occupies permanently: its values, and its gradient and optimizer state
     * if it is trained.
     */
    private long persistent(OnnxTensor constant) {
        boolean trained = assumptions.training() && constant.floating();
        return constant.bytes() * (trained ? 2L + assumptions.vectors() : 1);
    }

    /** True for matrices of weights, which are too large for each reader to have a copy. */
    private static boolean shared(OnnxTensor constant) {
        return constant.floating() && constant.dimensions().size() > 1;
    }

    /**
     * Groups operators that share a matrix of weights, because they must run on one device. Returns
     * the name of the group of each operator.
     */
    private static Map<NodeProto, String> sharing(GraphProto model) {
        Set<String> weights = new HashSet<>();
        for (TensorProto each : model.getInitializerList()) {
            if (shared(OnnxTensor.of(each))) {
                weights.add(each.getName());
            }
        }
        Map<String, List<NodeProto>> readers = new LinkedHashMap<>();
        for (NodeProto node : model.getNodeList()) {
            for (String each : new HashSet<>(node.getInputList())) {
                if (weights.contains(each)) {
                    readers.computeIfAbsent(each, key -> new ArrayList<>()).add(node);
                }
            }
        }
        Map<NodeProto, String> groups = new IdentityHashMap<>();
        readers.forEach(
                (weight, all) -> {
                    if (all.size() > 1) {
                        String group = "readers of " + weight;
                        Set<String> joined = new HashSet<>();
                        all.forEach(
                                each ->
                                        Optional.ofNullable(groups.get(each))
                                                .ifPresent(joined::add));
                        groups.replaceAll((key, old) -> joined.contains(old) ? group : old);
                        all.forEach(each -> groups.put(each, group));
                    }
                });
        return groups;
    }

    private String name(NodeProto node) {
        return nodeNames.computeIfAbsent(
                node,
                each ->
                        unique(
                                each.getName().isBlank()
                                        ? each.getOpType() + " " + firstOutput(each)
                                        : each.getName()));
    }

    private static String firstOutput(NodeProto node) {
        return node.getOutputList().stream().filter(each -> !each.isEmpty()).findFirst().orElse("");
    }

    private String unique(String name) {
        String free = name;
        for (int i = 2; !names.add(free); i++) {
            free = name + " " + i;
        }
        return free;
    }

    private IllegalArgumentException unknown(String what, String value) {
        return new IllegalArgumentException(
                "%s of %s has no fixed shape for %s: write the file with onnx.shape_inference.infer_shapes, and with fixed extents except for the batch"
                        .formatted(what, path, value));
    }
}
