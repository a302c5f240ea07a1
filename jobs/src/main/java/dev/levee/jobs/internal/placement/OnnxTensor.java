package dev.levee.jobs.internal.placement;

import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto.Dimension;
import ai.onnx.proto.OnnxMl.TypeProto;

import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Shape and element type of a value in an ONNX file.
 *
 * @param type a {@link TensorProto.DataType}
 * @param dimensions sizes of the dimensions
 */
record OnnxTensor(int type, List<Long> dimensions) {
    OnnxTensor {
        dimensions = List.copyOf(dimensions);
    }

    /** Returns the shape of a constant, such as a weight. */
    static OnnxTensor of(TensorProto tensor) {
        return new OnnxTensor(tensor.getDataType(), tensor.getDimsList());
    }

    /**
     * Returns the shape of a value whose type is declared.
     *
     * @param batch size of an open first dimension
     * @param batchNames names of open dimensions that have the same size
     * @return empty if its shape is not known
     */
    static Optional<OnnxTensor> of(TypeProto type, long batch, Set<String> batchNames) {
        TypeProto.Tensor tensor = type.getTensorType();
        if (!type.hasTensorType() || !tensor.hasShape() || tensor.getElemType() == 0) {
            return Optional.empty();
        }
        List<Dimension> dimensions = tensor.getShape().getDimList();
        Long[] extents = new Long[dimensions.size()];
        for (int i = 0; i < extents.length; i++) {
            Dimension each = dimensions.get(i);
            if (each.hasDimValue()) {
                extents[i] = each.getDimValue();
            } else if (i == 0 || batchNames.contains(each.getDimParam())) {
                extents[i] = batch;
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(new OnnxTensor(tensor.getElemType(), List.of(extents)));
    }

    /** The values of a constant of 64-bit integers, which ONNX stores in one of two ways. */
    static long[] wholeNumbers(TensorProto tensor) {
        if (tensor.getInt64DataCount() > 0) {
            return tensor.getInt64DataList().stream().mapToLong(Long::longValue).toArray();
        }
        LongBuffer raw =
                tensor.getRawData()
                        .asReadOnlyByteBuffer()
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .asLongBuffer();
        long[] values = new long[raw.remaining()];
        raw.get(values);
        return values;
    }

    /** Number of elements. */
    double elements() {
        return dimensions.stream().mapToDouble(Long::doubleValue).reduce(1, (a, b) -> a * b);
    }

    /** Number of elements for one index of the first dimension. */
    double rest() {
        return dimensions.stream()
                .skip(1)
                .mapToDouble(Long::doubleValue)
                .reduce(1, (a, b) -> a * b);
    }

    /**
     * Size of a dimension, counted from the end: 1 is the last. Returns 1 if there is no such
     * dimension.
     */
    long fromEnd(int place) {
        return place > dimensions.size() ? 1 : dimensions.get(dimensions.size() - place);
    }

    /** True for types that can be trained. */
    boolean floating() {
        return switch (type) {
            case TensorProto.DataType.FLOAT_VALUE,
                    TensorProto.DataType.DOUBLE_VALUE,
                    TensorProto.DataType.FLOAT16_VALUE,
                    TensorProto.DataType.BFLOAT16_VALUE ->
                    true;
            default -> false;
        };
    }

    /** Size of all elements in bytes. */
    long bytes() {
        return (long) elements() * elementBytes();
    }

    private int elementBytes() {
        return switch (type) {
            case TensorProto.DataType.UINT8_VALUE,
                    TensorProto.DataType.INT8_VALUE,
                    TensorProto.DataType.BOOL_VALUE ->
                    1;
            case TensorProto.DataType.UINT16_VALUE,
                    TensorProto.DataType.INT16_VALUE,
                    TensorProto.DataType.FLOAT16_VALUE,
                    TensorProto.DataType.BFLOAT16_VALUE ->
                    2;
            case TensorProto.DataType.FLOAT_VALUE,
                    TensorProto.DataType.INT32_VALUE,
                    TensorProto.DataType.UINT32_VALUE ->
                    4;
            case TensorProto.DataType.COMPLEX128_VALUE -> 16;
            default -> 8;
        };
    }
}
