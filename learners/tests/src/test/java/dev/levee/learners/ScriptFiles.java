package dev.levee.learners;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes TorchScript files with one module and no Python: a zip of the module's source, its state
 * as a pickle, and each tensor's bytes.
 */
final class ScriptFiles {
    private ScriptFiles() {}

    /**
     * Writes a module.
     *
     * @param parameters shapes by name, filled with 0.1, 0.2, …, 0.7, 0.1, …
     * @param buffers shapes by name, all ones
     * @param forward body of {@code forward(self, x)}
     */
    static void write(
            Path file, Map<String, long[]> parameters, Map<String, long[]> buffers, String forward)
            throws IOException {
        write(file, parameters, buffers, forward, "");
    }

    /**
     * Writes a module with a loss of its own.
     *
     * @param loss body of {@code loss(self, outputs, targets)}, empty for none
     */
    static void write(
            Path file,
            Map<String, long[]> parameters,
            Map<String, long[]> buffers,
            String forward,
            String loss)
            throws IOException {
        StringBuilder code = new StringBuilder("class Net(Module):\n");
        code.append("  __parameters__ = [").append(names(parameters)).append("]\n");
        code.append("  __buffers__ = [").append(names(buffers)).append("]\n");
        Pickle state = new Pickle().begin("__torch__", "Net");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            int number = 0;
            for (Map<String, long[]> tensors : List.of(parameters, buffers)) {
                for (Map.Entry<String, long[]> tensor : tensors.entrySet()) {
                    code.append("  ").append(tensor.getKey()).append(" : Tensor\n");
                    state.text(tensor.getKey()).tensor(number, tensor.getValue());
                    entry(
                            zip,
                            "net/data/" + number++,
                            values(tensor.getValue(), tensors == parameters));
                }
            }
            code.append("  training : bool\n")
                    .append("  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n")
                    .append(forward.indent(4));
            if (!loss.isEmpty()) {
                code.append("  def loss(self: __torch__.Net, outputs: Tensor, targets: Tensor)")
                        .append(" -> Tensor:\n")
                        .append(loss.indent(4));
            }
            entry(zip, "net/data.pkl", state.text("training").end());
            entry(
                    zip,
                    "net/code/__torch__.py",
                    code.toString().getBytes(StandardCharsets.US_ASCII));
            entry(zip, "net/constants.pkl", new byte[] {(byte) 0x80, 2, ')', '.'});
            entry(zip, "net/version", new byte[] {'3', '\n'});
        }
    }

    private static String names(Map<String, long[]> tensors) {
        return tensors.keySet().stream()
                .map(name -> '"' + name + "\", ")
                .collect(Collectors.joining());
    }

    private static byte[] values(long[] shape, boolean varied) {
        int length = Math.toIntExact(Pickle.product(shape));
        ByteBuffer bytes = ByteBuffer.allocate(length * 4).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < length; i++) {
            bytes.putFloat(varied ? (i % 7 + 1) / 10f : 1);
        }
        return bytes.array();
    }

    private static void entry(OutputStream out, String name, byte[] content) throws IOException {
        ZipOutputStream zip = (ZipOutputStream) out;
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content);
    }

    /** The few opcodes of Python's pickle protocol 2 that a module's state needs. */
    private static final class Pickle {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        static long product(long[] shape) {
            long product = 1;
            for (long extent : shape) {
                product *= extent;
            }
            return product;
        }

        private Pickle ascii(String text) {
            out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
            return this;
        }

        private Pickle binary(char opcode, long value) {
            out.write(opcode);
            out.writeBytes(
                    ByteBuffer.allocate(4)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putInt((int) value)
                            .array());
            return this;
        }

        Pickle begin(String module, String type) {
            out.write(0x80);
            out.write(2);
            return ascii("c" + module + "\n" + type + "\n)").op(0x81).ascii("}(");
        }

        private Pickle op(int opcode) {
            out.write(opcode);
            return this;
        }

        Pickle text(String text) {
            return binary('X', text.length()).ascii(text);
        }

        Pickle tensor(int storage, long[] shape) {
            ascii("ctorch._utils\n_rebuild_tensor_v2\n((").text("storage");
            ascii("ctorch\nFloatStorage\n").text(Integer.toString(storage)).text("cpu");
            binary('J', product(shape)).ascii("tQ").binary('J', 0).ascii("(");
            for (long extent : shape) {
                binary('J', extent);
            }
            ascii("t(");
            long stride = product(shape);
            for (long extent : shape) {
                stride /= extent;
                binary('J', stride);
            }
            return ascii("t").op(0x89).ascii("ccollections\nOrderedDict\n)RtR");
        }

        byte[] end() {
            op(0x88).ascii("ub.");
            return out.toByteArray();
        }
    }
}
