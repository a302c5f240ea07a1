package dev.levee.gar.internal.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the kernels' own source on the host, compiled as C++, in a process of its own. */
final class HostAccelerator implements Accelerator, AutoCloseable {
    private static final int FIELDS = 16;

    private final Process process;
    private final OutputStream out;
    private final DataInputStream in;

    /** Free memory to report. */
    long free = 1L << 34;

    /** The kernels run, in order. */
    final List<String> launched = new ArrayList<>();

    /** Bytes copied to the device. */
    long uploaded;

    /** Bytes allocated on the device. */
    long allocated;

    private HostAccelerator(Process process) {
        this.process = process;
        out = new BufferedOutputStream(process.getOutputStream(), 1 << 16);
        in = new DataInputStream(process.getInputStream());
    }

    /** Compiles the kernels, with checks of every access where the compiler has them. */
    static Path compile(Path folder) throws Exception {
        assumeTrue(Tools.has("g++"), "skipped: no g++ to compile the kernels for the host");
        Path program = folder.resolve("kernels");
        List<String> command =
                List.of(
                        "g++",
                        "-std=c++17",
                        "-O1",
                        "-ffp-contract=off",
                        "-Wno-unknown-pragmas",
                        "-Isrc/main/cuda",
                        "-o",
                        program.toString(),
                        "src/test/cuda/host.cpp");
        List<String> checked = new ArrayList<>(command);
        checked.add("-fsanitize=address,undefined");
        checked.add("-fno-sanitize-recover=all");
        if (Tools.run(checked).status() != 0) {
            Tools.Result plain = Tools.run(command);
            assertThat(plain.status()).as(plain.output()).isZero();
        }
        return program;
    }

    static HostAccelerator start(Path program) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(program.toString());
        builder.environment().put("ASAN_OPTIONS", "detect_leaks=0");
        return new HostAccelerator(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    @Override
    public String name() {
        return "host";
    }

    @Override
    public void bind() {}

    @Override
    public long free() {
        return free;
    }

    @Override
    public HostMemory allocateHost(long bytes) {
        ByteBuffer buffer =
                ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
        return () -> buffer;
    }

    @Override
    public DeviceMemory allocate(long bytes) {
        if (bytes > free) {
            throw new IllegalStateException("no room for " + bytes + " bytes");
        }
        allocated += bytes;
        send('A', bytes);
        long address =
                ByteBuffer.wrap(receive(Long.BYTES)).order(ByteOrder.nativeOrder()).getLong();
        return () -> address;
    }

    @Override
    public void release(HostMemory memory) {}

    @Override
    public void release(DeviceMemory memory) {
        send('F', memory.address());
    }

    @Override
    public void upload(int stream, HostMemory from, DeviceMemory to, long offset, long bytes) {
        uploaded += bytes;
        send('U', to.address() + offset, bytes);
        write(from.bytes().array(), (int) bytes);
    }

    @Override
    public void download(int stream, DeviceMemory from, long offset, HostMemory to, long bytes) {
        send('D', from.address() + offset, bytes);
        System.arraycopy(receive((int) bytes), 0, to.bytes().array(), 0, (int) bytes);
    }

    @Override
    public void launch(int stream, String kernel, long threads, long... fields) {
        launched.add(kernel);
        byte[] name = kernel.getBytes(StandardCharsets.US_ASCII);
        send('L', threads, name.length);
        write(name, name.length);
        ByteBuffer all = ByteBuffer.allocate(FIELDS * Long.BYTES).order(ByteOrder.nativeOrder());
        all.asLongBuffer().put(fields);
        write(all.array(), all.capacity());
    }

    @Override
    public void synchronize(int stream) {}

    @Override
    public void close() throws Exception {
        out.close();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as("the kernels' process, see its error output").isZero();
    }

    private void send(char command, long... numbers) {
        ByteBuffer bytes =
                ByteBuffer.allocate(1 + numbers.length * Long.BYTES)
                        .order(ByteOrder.nativeOrder())
                        .put((byte) command);
        for (long number : numbers) {
            bytes.putLong(number);
        }
        write(bytes.array(), bytes.capacity());
    }

    private void write(byte[] bytes, int length) {
        try {
            out.write(bytes, 0, length);
        } catch (IOException e) {
            throw new UncheckedIOException("the kernels' process ended", e);
        }
    }

    private byte[] receive(int length) {
        try {
            out.flush();
            byte[] bytes = new byte[length];
            in.readFully(bytes);
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException("the kernels' process ended", e);
        }
    }
}
