package dev.levee.jobs.internal.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;

import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.graph.Output;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Sizes by hand: 4 bytes a number; 1,000 floating-point operations a second. */
class OnnxFileTest {
    private static final OnnxFile.Assumptions FORWARD = new OnnxFile.Assumptions(1000, 2, 1, false);
    private static final OnnxFile.Assumptions TRAINING = new OnnxFile.Assumptions(1000, 2, 1, true);
    private static final int FLOAT = TensorProto.DataType.FLOAT_VALUE;

    @TempDir private Path folder;

    private OperatorGraph read(GraphProto.Builder graph, OnnxFile.Assumptions assumptions)
            throws IOException {
        Path file = folder.resolve("model.onnx");
        Files.write(file, ModelProto.newBuilder().setGraph(graph).build().toByteArray());
        return OnnxFile.read(file, assumptions);
    }

    /** Extents; one that is no number is open. */
    private static ValueInfoProto value(String name, Object... extents) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        for (Object each : extents) {
            TensorShapeProto.Dimension.Builder dimension = TensorShapeProto.Dimension.newBuilder();
            shape.addDim(
                    each instanceof Integer number
                            ? dimension.setDimValue(number)
                            : dimension.setDimParam(each.toString()));
        }
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(
                        TypeProto.newBuilder()
                                .setTensorType(
                                        TypeProto.Tensor.newBuilder()
                                                .setElemType(FLOAT)
                                                .setShape(shape)))
                .build();
    }

    private static TensorProto weight(String name, long... extents) {
        TensorProto.Builder tensor = TensorProto.newBuilder().setName(name).setDataType(FLOAT);
        for (long each : extents) {
            tensor.addDims(each);
        }
        return tensor.build();
    }

    private static NodeProto node(String type, String output, String... inputs) {
        return NodeProto.newBuilder()
                .setOpType(type)
                .setName(type.toLowerCase(Locale.ROOT))
                .addOutput(output)
                .addAllInput(List.of(inputs))
                .build();
    }

    /** Images of 3 × 4 × 4 to 5 channels, a ReLU, and a matrix of 80 × 2; the batch is open. */
    private static GraphProto.Builder network() {
        return GraphProto.newBuilder()
                .addInput(value("x", "batch", 3, 4, 4))
                .addOutput(value("y", "batch", 2))
                .addValueInfo(value("c", "batch", 5, 4, 4))
                .addValueInfo(value("r", "batch", 5, 4, 4))
                .addValueInfo(value("f", "batch", 80))
                .addInitializer(weight("kernel", 5, 3, 3, 3))
                .addInitializer(weight("matrix", 80, 2))
                .addNode(node("Conv", "c", "x", "kernel"))
                .addNode(node("Relu", "r", "c"))
                .addNode(node("Flatten", "f", "r"))
                .addNode(node("MatMul", "y", "f", "matrix"));
    }

    @Test
    void timesComeFromOperationsAndMemoryFromShapes() throws IOException {
        OperatorGraph graph = read(network(), FORWARD);

        assertThat(graph.operators())
                .extracting(Operator::name)
                .containsExactly("x", "conv", "relu", "flatten", "matmul");
        Operator conv = graph.operator(1);
        // 160 numbers, each from 27 products and sums
        assertThat(conv.seconds()).isEqualTo(2 * 160 * 27 / 1000.0);
        assertThat(conv.persistent()).isEqualTo(5 * 3 * 3 * 3 * 4);
        assertThat(conv.outputs()).containsExactly(Output.of(160 * 4));
        assertThat(graph.operator(2).seconds()).isEqualTo(2 * 160 / 1000.0);
        assertThat(graph.operator(4).seconds()).isEqualTo(2 * 4 * 80 / 1000.0);
        assertThat(graph.edges()).isEqualTo(4);
    }

    @Test
    void aTrainingStepHasBackwardOperatorsGradientsAndOptimizerState() throws IOException {
        OperatorGraph graph = read(network(), TRAINING);

        assertThat(graph.size()).isEqualTo(5 + 4);
        assertThat(graph.operator(graph.id("matmul")).persistent()).isEqualTo(3 * 160 * 4);
        assertThat(graph.operator(graph.id("matmul.backward")).seconds())
                .isEqualTo(2 * graph.operator(graph.id("matmul")).seconds());
    }

    @Test
    void operatorsThatShareAMatrixRunInOnePlaceAndItCountsOnce() throws IOException {
        GraphProto.Builder shared =
                GraphProto.newBuilder()
                        .addInput(value("x", 1, 3))
                        .addOutput(value("z", 1, 3))
                        .addValueInfo(value("y", 1, 3))
                        .addInitializer(weight("w", 3, 3))
                        .addNode(node("MatMul", "y", "x", "w"))
                        .addNode(node("MatMul", "z", "y", "w"));

        OperatorGraph graph = read(shared, FORWARD);

        assertThat(graph.operators())
                .extracting(Operator::name)
                .containsExactly("x", "matmul", "matmul 2");
        assertThat(graph.operator(1).group()).isEqualTo("readers of w");
        assertThat(graph.operator(2).group()).isEqualTo("readers of w");
        assertThat(graph.operator(1).persistent() + graph.operator(2).persistent())
                .isEqualTo(9 * 4);
    }

    @Test
    void cellsMultiplyInEveryStep() throws IOException {
        GraphProto.Builder recurrent =
                GraphProto.newBuilder()
                        .addInput(value("x", 7, 2, 3))
                        .addOutput(value("y", 7, 1, 2, 5))
                        .addInitializer(weight("w", 1, 20, 3))
                        .addInitializer(weight("r", 1, 20, 5))
                        .addNode(node("LSTM", "y", "x", "w", "r"));

        assertThat(read(recurrent, FORWARD).operator(1).seconds())
                .isEqualTo(2 * 7 * 2 * (20 * 3 + 20 * 5) / 1000.0);
    }

    /** An omitted input or output has an empty name, and is no value that others read. */
    @Test
    void omittedInputsAndOutputsConnectNothing() throws IOException {
        GraphProto.Builder recurrent =
                GraphProto.newBuilder()
                        .addInput(value("x", 7, 2, 3))
                        .addInput(value("h", 1, 2, 5))
                        .addInitializer(weight("w", 1, 20, 3))
                        .addInitializer(weight("r", 1, 20, 5))
                        .addNode(node("LSTM", "", "x", "w", "r", "", "", "h"))
                        .addNode(node("LSTM", "", "x", "w", "r", "", "", "a"));
        recurrent.getNodeBuilder(0).addOutput("a");
        recurrent.getNodeBuilder(1).clearName().addOutput("b");

        OperatorGraph graph = read(recurrent, FORWARD);

        assertThat(graph.operators())
                .extracting(Operator::name)
                .containsExactly("x", "h", "lstm", "LSTM b");
        assertThat(graph.operator(3).group()).isEqualTo(graph.operator(2).group()).isNotNull();
        assertThat(graph.edges()).isEqualTo(4);
        // An omitted output takes no memory.
        assertThat(graph.operator(2).outputs()).containsExactly(Output.of(0), Output.of(4 * 10));
    }

    @Test
    void whatHasNoFixedCostIsRefusedWithTheOperatorsName() {
        NodeProto unusual = node("Conv", "c", "x", "kernel").toBuilder().setOpType("Own").build();
        GraphProto.Builder unknown = network().clearValueInfo().setNode(0, unusual);
        assertThatThrownBy(() -> read(unknown, FORWARD))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "operator conv (Own) of "
                                + folder.resolve("model.onnx")
                                + " has no fixed shape for c: write the file with onnx.shape_inference.infer_shapes,"
                                + " and with fixed extents except for the batch");
        GraphProto.Builder open =
                GraphProto.newBuilder()
                        .addInput(value("x", "batch", "length"))
                        .addNode(node("Relu", "y", "x"));
        assertThatThrownBy(() -> read(open, FORWARD))
                .hasMessageStartingWith("input x of ")
                .hasMessageContaining(" has no fixed shape for x");
        GraphProto.Builder loop =
                network()
                        .addNode(
                                node("Loop", "l", "y").toBuilder()
                                        .addAttribute(
                                                AttributeProto.newBuilder()
                                                        .setName("body")
                                                        .setType(
                                                                AttributeProto.AttributeType
                                                                        .GRAPH)));
        assertThatThrownBy(() -> read(loop, FORWARD))
                .hasMessage(
                        "operator loop (Loop) of "
                                + folder.resolve("model.onnx")
                                + " contains a subgraph, whose cost depends on the data");
    }

    /** What torch 1.13 has exported from convolutions, a residual block, pooling, cells. */
    @ParameterizedTest
    @CsvSource({"small.onnx,16,2", "small-open.onnx,16,5", "lstm.onnx,20,2", "lstm-open.onnx,20,5"})
    void filesOfTorchHaveNoShapesInside(String name, int least, int batch) throws IOException {
        Path file = folder.resolve(name);
        try (InputStream in = getClass().getResourceAsStream(name)) {
            Files.copy(in, file);
        }
        OperatorGraph graph = OnnxFile.read(file, new OnnxFile.Assumptions(1000, batch, 0, false));

        assertThat(graph.size()).isGreaterThanOrEqualTo(least);
        // 3 to 4 channels by 3 × 3, on 8 × 8 pixels
        Operator first = graph.operator(graph.id("/one/a/Conv"));
        assertThat(first.seconds()).isEqualTo(2.0 * batch * 4 * 64 * 27 / 1000);
        assertThat(first.outputs()).containsExactly(Output.of(4L * batch * 4 * 64));
        assertThat(first.persistent()).isEqualTo(4 * (4 * 27 + 4));
    }

    /** The network above says nothing of its inside, and all of it follows. */
    @Test
    void shapesOfCommonOperatorsFollowFromTheirInputs() throws IOException {
        OperatorGraph told = read(network(), FORWARD);
        NodeProto padded =
                network().getNode(0).toBuilder()
                        .addAttribute(
                                AttributeProto.newBuilder()
                                        .setName("pads")
                                        .addAllInts(List.of(1L, 1L, 1L, 1L)))
                        .build();

        OperatorGraph inferred = read(network().setNode(0, padded).clearValueInfo(), FORWARD);

        assertThat(inferred.operators()).isEqualTo(told.operators());
    }

    private static TensorProto list(String name, Long... values) {
        return TensorProto.newBuilder()
                .setName(name)
                .setDataType(TensorProto.DataType.INT64_VALUE)
                .addDims(values.length)
                .addAllInt64Data(List.of(values))
                .build();
    }

    private static AttributeProto attribute(String name, long value) {
        return AttributeProto.newBuilder().setName(name).setI(value).build();
    }

    /** Bytes of the last operator's output, for an input of 2 × 3 × 1 × 5 numbers. */
    private long bytes(GraphProto.Builder graph) throws IOException {
        graph.addInput(value("x", 2, 3, 1, 5));
        OperatorGraph read = read(graph, FORWARD);
        return read.operator(read.size() - 1).outputBytes();
    }

    /** Files of opset 13 and newer have axes as inputs, which are often initializers. */
    @ParameterizedTest
    @CsvSource({"ReduceMean,1,10", "ReduceSum,-1,6", "Squeeze,2,30", "Unsqueeze,0,30"})
    void axesMayBeInitializers(String type, long axis, long numbers) throws IOException {
        GraphProto.Builder graph =
                GraphProto.newBuilder()
                        .addInitializer(list("axes", axis))
                        .addNode(node(type, "y", "x", "axes"));
        // Concatenation along the last dimension needs the right number of dimensions.
        graph.addNode(
                node("Concat", "z", "y", "y").toBuilder().addAttribute(attribute("axis", -1)));

        assertThat(bytes(graph)).isEqualTo(2 * numbers * 4);

        GraphProto.Builder unknown =
                GraphProto.newBuilder()
                        .addInput(value("axes", 1))
                        .addNode(node(type, "y", "x", "axes"))
                        .addNode(node("Relu", "z", "y"));
        assertThatThrownBy(() -> bytes(unknown)).hasMessageContaining("has no fixed shape for y");
    }

    @Test
    void aShapeMayBeAnInitializer() throws IOException {
        GraphProto.Builder graph =
                GraphProto.newBuilder()
                        .addInitializer(list("shape", 0L, -1L))
                        .addInitializer(weight("w", 15, 4))
                        .addNode(node("Reshape", "r", "x", "shape"))
                        .addNode(node("MatMul", "y", "r", "w"));

        assertThat(bytes(graph)).isEqualTo(2 * 4 * 4);
        TensorProto elsewhere =
                list("shape").toBuilder()
                        .setDataLocation(TensorProto.DataLocation.EXTERNAL)
                        .build();
        assertThatThrownBy(() -> bytes(graph.clearInput().setInitializer(0, elsewhere)))
                .hasMessageContaining("has no fixed shape for r");
    }

    /** The 4 positions become a matrix of one row, so 4 × 3 values are one row, too. */
    @Test
    void aListThatGetsADimensionKeepsIt() throws IOException {
        GraphProto.Builder graph =
                GraphProto.newBuilder()
                        .addInitializer(list("positions", 0L, 1L, 2L, 3L))
                        .addInitializer(list("axes", 0L))
                        .addInitializer(weight("table", 10, 3))
                        .addInitializer(weight("w", 12, 2))
                        .addNode(node("Unsqueeze", "p", "positions", "axes"))
                        .addNode(node("Gather", "g", "table", "p"))
                        .addNode(node("Flatten", "f", "g"))
                        .addNode(node("MatMul", "y", "f", "w"));

        assertThat(bytes(graph)).isEqualTo(2 * 4);
    }

    @Test
    void slicesAndShapesKeepToTheirParts() throws IOException {
        GraphProto.Builder sliced =
                GraphProto.newBuilder()
                        .addInitializer(list("start", -4L))
                        .addInitializer(list("end", 99L))
                        .addInitializer(list("axis", 3L))
                        .addInitializer(list("step", 1L))
                        .addNode(node("Slice", "y", "x", "start", "end", "axis", "step"));
        assertThat(bytes(sliced)).isEqualTo(2 * 3 * 4 * 4);
        sliced.clearInput().setInitializer(3, list("step", 2L)).addNode(node("Relu", "z", "y"));
        assertThatThrownBy(() -> bytes(sliced)).hasMessageContaining("has no fixed shape for y");

        NodeProto.Builder shape = node("Shape", "s", "x").toBuilder();
        shape.addAttribute(attribute("start", 1)).addAttribute(attribute("end", -1));
        GraphProto.Builder zeros =
                GraphProto.newBuilder().addNode(shape).addNode(node("ConstantOfShape", "y", "s"));
        assertThat(bytes(zeros)).isEqualTo(3 * 1 * 4);
    }

    @Test
    void whatIsNoModelIsRefused() throws IOException {
        Path file = folder.resolve("text.onnx");
        Files.writeString(file, "no model");
        assertThatThrownBy(() -> OnnxFile.read(file, FORWARD))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(file + " is not an ONNX file");
        Path missing = folder.resolve("missing.onnx");
        assertThatThrownBy(() -> OnnxFile.read(missing, FORWARD))
                .hasMessage("there is no file " + missing);
        GraphProto.Builder dangling = network().addNode(node("Add", "s", "y", "nothing"));
        assertThatThrownBy(() -> read(dangling, FORWARD))
                .hasMessageContaining("add reads nothing, which no operator in");
    }
}
