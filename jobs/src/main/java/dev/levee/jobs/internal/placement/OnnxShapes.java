package dev.levee.jobs.internal.placement;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Infers the output shapes of common operators, for files that do not contain them, such as those
 * of older versions of torch. A file with other operators must contain their shapes.
 *
 * @param inputs null for a missing one
 * @param numbers for each input its values if it is a constant list of whole numbers, else null
 */
record OnnxShapes(NodeProto node, List<OnnxTensor> inputs, List<long[]> numbers) {
    /** The known outputs, in order; there may be fewer than the operator has. */
    static List<OnnxTensor> of(NodeProto node, List<OnnxTensor> inputs, List<long[]> numbers) {
        if (inputs.isEmpty() || inputs.get(0) == null) {
            return List.of();
        }
        try {
            return new OnnxShapes(node, inputs, numbers).outputs();
        } catch (IndexOutOfBoundsException | ArithmeticException | NullPointerException e) {
            return List.of(); // the inputs do not fit together, so the shape stays unknown
        }
    }

    /**
     * The value of an operator that computes with shapes, such as those for reshaping a batch of
     * any size; null for other operators.
     */
    static long[] value(NodeProto node, List<OnnxTensor> inputs, List<long[]> numbers) {
        try {
            return new OnnxShapes(node, inputs, numbers).value();
        } catch (IndexOutOfBoundsException | NullPointerException e) {
            return null; // not computed from known lists
        }
    }

    private long[] value() {
        long[] first = numbers.get(0);
        return switch (node.getOpType()) {
            case "Shape" -> {
                List<Long> extents = inputs.get(0).dimensions();
                int size = extents.size();
                yield part(
                        extents.stream().mapToLong(Long::longValue).toArray(),
                        number("start", 0),
                        number("end", size));
            }
            case "Gather" ->
                    Arrays.stream(numbers.get(1)).map(i -> first[place(i, first.length)]).toArray();
            case "Squeeze", "Unsqueeze", "Identity", "Cast" -> first;
            case "Slice" -> stepped() ? null : part(first, numbers.get(1)[0], numbers.get(2)[0]);
            case "Concat" -> numbers.stream().flatMapToLong(Arrays::stream).toArray();
            default -> null;
        };
    }

    private static long[] part(long[] values, long start, long end) {
        int from = bound(start, values.length);
        return Arrays.copyOfRange(values, from, Math.max(from, bound(end, values.length)));
    }

    private List<OnnxTensor> outputs() {
        List<Long> in = inputs.get(0).dimensions();
        return switch (node.getOpType()) {
            case "Relu",
                    "LeakyRelu",
                    "PRelu",
                    "Elu",
                    "Gelu",
                    "Sigmoid",
                    "HardSigmoid",
                    "HardSwish",
                    "Tanh",
                    "Erf",
                    "Exp",
                    "Log",
                    "Sqrt",
                    "Neg",
                    "Abs",
                    "Clip",
                    "Identity",
                    "Dropout",
                    "Softmax",
                    "LogSoftmax",
                    "BatchNormalization",
                    "InstanceNormalization",
                    "LayerNormalization" ->
                    one(in);
            case "Add", "Sub", "Mul", "Div", "Pow", "Max", "Min", "Sum", "Mean" ->
                    one(broadcast(inputs.stream().map(OnnxTensor::dimensions).toList()));
            case "Cast" -> List.of(new OnnxTensor((int) number("to", 1), in));
            case "Conv" -> one(window(in, inputs.get(1).dimensions().get(0), kernel()));
            case "MaxPool", "AveragePool", "LpPool" ->
                    one(window(in, in.get(1), list("kernel_shape")));
            case "GlobalAveragePool", "GlobalMaxPool" -> {
                Long[] shape = in.toArray(Long[]::new);
                Arrays.fill(shape, 2, shape.length, 1L);
                yield one(List.of(shape));
            }
            case "Flatten" -> {
                int axis = place(number("axis", 1), in.size());
                yield one(List.of(product(in, 0, axis), product(in, axis, in.size())));
            }
            case "Gemm" -> {
                List<Long> other = inputs.get(1).dimensions();
                yield one(
                        List.of(
                                in.get(number("transA", 0) == 0 ? 0 : 1),
                                other.get(number("transB", 0) == 0 ? 1 : 0)));
            }
            case "MatMul" -> one(matrices(in, inputs.get(1).dimensions()));
            case "Transpose" -> one(transposed(in));
            case "Concat" -> one(concatenated(in));
            case "Reshape" -> one(reshaped(in, numbers.get(1)));
            case "ConstantOfShape" ->
                    List.of(
                            new OnnxTensor(
                                    TensorProto.DataType.FLOAT_VALUE,
                                    Arrays.stream(numbers.get(0)).boxed().toList()));
            case "Expand" ->
                    one(broadcast(List.of(in, Arrays.stream(numbers.get(1)).boxed().toList())));
            case "Slice" -> stepped() ? List.of() : one(sliced(in));
            case "Squeeze" -> {
                List<Integer> gone = places(axes(), in.size());
                yield one(
                        IntStream.range(0, in.size())
                                .filter(i -> gone.isEmpty() ? in.get(i) > 1 : !gone.contains(i))
                                .mapToObj(in::get)
                                .toList());
            }
            case "Unsqueeze" -> {
                List<Long> result = new ArrayList<>(in);
                List<Long> axes = axes();
                places(axes, in.size() + axes.size()).stream()
                        .sorted()
                        .forEach(axis -> result.add(axis, 1L));
                yield one(result);
            }
            case "Gather" -> one(gathered(in, inputs.get(1).dimensions()));
            case "ReduceMean", "ReduceSum", "ReduceMax" -> one(reduced(in));
            case "LSTM", "GRU", "RNN" -> recurrent(in, inputs.get(2).dimensions());
            default -> List.of();
        };
    }

    private List<OnnxTensor> one(List<Long> dimensions) {
        return List.of(new OnnxTensor(inputs.get(0).type(), dimensions));
    }

    private static List<Long> broadcast(List<List<Long>> shapes) {
        int size = shapes.stream().mapToInt(List::size).max().orElse(0);
        Long[] result = new Long[size];
        for (int i = 0; i < size; i++) {
            long extent = 1;
            for (List<Long> each : shapes) {
                int at = i - size + each.size();
                extent = at < 0 ? extent : Math.max(extent, each.get(at));
            }
            result[i] = extent;
        }
        return List.of(result);
    }

    private List<Long> kernel() {
        List<Long> weight = inputs.get(1).dimensions();
        return weight.subList(2, weight.size());
    }

    /** The shape after a window moved over all dimensions except batch and channels. */
    private List<Long> window(List<Long> in, long channels, List<Long> kernel) {
        List<Long> strides = list("strides");
        List<Long> dilations = list("dilations");
        List<Long> pads = list("pads");
        boolean same = text("auto_pad").startsWith("SAME");
        List<Long> out = new ArrayList<>(List.of(in.get(0), channels));
        for (int i = 0; i < kernel.size(); i++) {
            long stride = strides.isEmpty() ? 1 : strides.get(i);
            long span = (kernel.get(i) - 1) * (dilations.isEmpty() ? 1 : dilations.get(i)) + 1;
            long padding = pads.isEmpty() ? 0 : pads.get(i) + pads.get(i + kernel.size());
            long room = in.get(i + 2) + padding - span;
            long steps = number("ceil_mode", 0) == 0 ? room / stride : (room + stride - 1) / stride;
            out.add(same ? (in.get(i + 2) + stride - 1) / stride : steps + 1);
        }
        return out;
    }

    private static List<Long> matrices(List<Long> one, List<Long> other) {
        List<Long> result =
                new ArrayList<>(
                        broadcast(
                                List.of(
                                        one.subList(0, Math.max(0, one.size() - 2)),
                                        other.subList(0, Math.max(0, other.size() - 2)))));
        if (one.size() > 1) {
            result.add(one.get(one.size() - 2));
        }
        if (other.size() > 1) {
            result.add(other.get(other.size() - 1));
        }
        return result;
    }

    private List<Long> transposed(List<Long> in) {
        List<Long> order = list("perm");
        Long[] result = new Long[in.size()];
        Arrays.setAll(
                result, i -> in.get(order.isEmpty() ? in.size() - 1 - i : order.get(i).intValue()));
        return List.of(result);
    }

    private List<Long> concatenated(List<Long> in) {
        int axis = place(number("axis", 0), in.size());
        List<Long> result = new ArrayList<>(in);
        result.set(axis, inputs.stream().mapToLong(each -> each.dimensions().get(axis)).sum());
        return result;
    }

    private static List<Long> reshaped(List<Long> in, long[] shape) {
        Long[] result = new Long[shape.length];
        long known = 1;
        for (int i = 0; i < shape.length; i++) {
            result[i] = shape[i] == 0 ? in.get(i) : (Long) shape[i];
            known *= shape[i] == -1 ? 1 : result[i];
        }
        for (int i = 0; i < shape.length; i++) {
            if (shape[i] == -1) {
                result[i] = product(in, 0, in.size()) / known;
            }
        }
        return List.of(result);
    }

    private List<Long> gathered(List<Long> in, List<Long> indices) {
        int axis = place(number("axis", 0), in.size());
        return Stream.of(in.subList(0, axis), indices, in.subList(axis + 1, in.size()))
                .flatMap(List::stream)
                .toList();
    }

    /** True if a slice has steps other than 1, or unknown ones. */
    private boolean stepped() {
        return hasInput(4)
                && (numbers.get(4) == null || Arrays.stream(numbers.get(4)).anyMatch(s -> s != 1));
    }

    /** Slices with steps of 1, whose starts, ends and axes are inputs. */
    private List<Long> sliced(List<Long> in) {
        List<Long> result = new ArrayList<>(in);
        long[] starts = numbers.get(1);
        for (int i = 0; i < starts.length; i++) {
            int axis = hasInput(3) ? place(numbers.get(3)[i], in.size()) : i;
            int extent = in.get(axis).intValue();
            int length = bound(numbers.get(2)[i], extent) - bound(starts[i], extent);
            result.set(axis, (long) Math.max(0, length));
        }
        return result;
    }

    private boolean hasInput(int place) {
        return place < node.getInputCount() && !node.getInput(place).isEmpty();
    }

    /**
     * Reads the axes, which are an attribute, or the second input in newer files.
     *
     * @throws NullPointerException if this input is not a known list
     */
    private List<Long> axes() {
        return hasInput(1) ? Arrays.stream(numbers.get(1)).boxed().toList() : list("axes");
    }

    private static List<Integer> places(List<Long> axes, int size) {
        return axes.stream().map(each -> place(each, size)).toList();
    }

    private List<Long> reduced(List<Long> in) {
        List<Integer> gone = places(axes(), in.size());
        boolean all = gone.isEmpty() && number("noop_with_empty_axes", 0) == 0;
        List<Long> result = new ArrayList<>();
        for (int i = 0; i < in.size(); i++) {
            boolean reduced = all || gone.contains(i);
            if (!reduced || number("keepdims", 1) != 0) {
                result.add(reduced ? 1 : in.get(i));
            }
        }
        return result;
    }

    /** The outputs of all steps, and the last states. */
    private List<OnnxTensor> recurrent(List<Long> in, List<Long> weights) {
        int type = inputs.get(0).type();
        long directions = weights.get(0);
        long hidden = weights.get(2);
        OnnxTensor last = new OnnxTensor(type, List.of(directions, in.get(1), hidden));
        return List.of(
                new OnnxTensor(type, List.of(in.get(0), directions, in.get(1), hidden)),
                last,
                last);
    }

    private static int place(long axis, int size) {
        return (int) (axis < 0 ? axis + size : axis);
    }

    /** The place of a start or end, of which those beyond the list mean its begin or end. */
    private static int bound(long at, int size) {
        return (int) Math.max(0, Math.min(at < 0 ? at + size : at, size));
    }

    private static long product(List<Long> extents, int from, int to) {
        return extents.subList(from, to).stream().reduce(1L, Math::multiplyExact);
    }

    private Stream<AttributeProto> attribute(String name) {
        return node.getAttributeList().stream().filter(each -> each.getName().equals(name));
    }

    private long number(String name, long missing) {
        return attribute(name).mapToLong(AttributeProto::getI).findFirst().orElse(missing);
    }

    private List<Long> list(String name) {
        return attribute(name).flatMap(each -> each.getIntsList().stream()).toList();
    }

    private String text(String name) {
        return attribute(name).map(each -> each.getS().toStringUtf8()).findFirst().orElse("");
    }
}
