package dev.levee.jobs.internal.placement;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.NodeProto;

import java.util.List;
import java.util.Objects;

/**
 * Counts the floating-point operations of an ONNX operator from the shapes of its inputs and
 * outputs. A multiplication with the following addition counts as two. Unknown operators count one
 * for each element that they read or write.
 */
final class OnnxOperations {
    private OnnxOperations() {}

    /**
     * Counts the operations.
     *
     * @param inputs inputs in order, null for a missing one
     * @param outputs the outputs whose shapes are known
     * @throws IllegalArgumentException if an input is missing; the caller adds the names of
     *     operator and file to the message
     */
    static double count(NodeProto node, List<OnnxTensor> inputs, List<OnnxTensor> outputs) {
        Inputs in = new Inputs(node, inputs);
        return switch (node.getOpType()) {
            // A weight's first dimension is the outputs; the others are what one output reads.
            case "Conv", "ConvInteger" -> 2 * elements(outputs) * in.at(1).rest();
            case "QLinearConv" -> 2 * elements(outputs) * in.at(3).rest();
            case "ConvTranspose" -> 2 * in.at(0).elements() * in.at(1).rest();
            case "MatMul", "MatMulInteger" -> 2 * elements(outputs) * in.at(0).fromEnd(1);
            case "Gemm" ->
                    2 * elements(outputs) * in.at(0).fromEnd(number(node, "transA") == 0 ? 1 : 2);
            // Every step of every sequence is multiplied with both matrices.
            case "LSTM", "GRU", "RNN" ->
                    2
                            * in.at(0).elements()
                            / in.at(0).fromEnd(1)
                            * (in.at(1).elements() + in.at(2).elements());
            case "MaxPool", "AveragePool", "LpPool" -> elements(outputs) * window(node);
            default -> elements(inputs) + elements(outputs);
        };
    }

    /** The inputs of an operator, null for missing ones. */
    private record Inputs(NodeProto node, List<OnnxTensor> tensors) {
        private OnnxTensor at(int place) {
            OnnxTensor tensor = place < tensors.size() ? tensors.get(place) : null;
            if (tensor == null) {
                throw new IllegalArgumentException(
                        "%s must have input %d".formatted(node.getOpType(), place));
            }
            return tensor;
        }
    }

    private static double elements(List<OnnxTensor> tensors) {
        return tensors.stream().filter(Objects::nonNull).mapToDouble(OnnxTensor::elements).sum();
    }

    private static double window(NodeProto node) {
        return node.getAttributeList().stream()
                .filter(each -> each.getName().equals("kernel_shape"))
                .flatMap(each -> each.getIntsList().stream())
                .mapToDouble(Long::doubleValue)
                .reduce(1, (a, b) -> a * b);
    }

    private static long number(NodeProto node, String attribute) {
        return node.getAttributeList().stream()
                .filter(each -> each.getName().equals(attribute))
                .mapToLong(AttributeProto::getI)
                .findFirst()
                .orElse(0);
    }
}
