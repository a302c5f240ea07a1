package dev.levee.jobs.internal.placement;

import dev.levee.learners.layers.ThreadTime;
import dev.levee.operators.placement.graph.Handling;
import dev.levee.operators.rounds.StageMessage;
import dev.levee.operators.rounds.StageMessage.Content;
import dev.levee.operators.rounds.codec.Codecs;

import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Measures the processor time that messages between stages take on this machine, from one tensor to
 * another. Two threads play ping-pong over the loopback device: with the records and the codec of a
 * pipeline, and as many copies as Flink's network stack makes. Both ends count alike, because the
 * kernel does a part of the receiver's work on the processor of the sender.
 */
public final class TransferTimer implements AutoCloseable {
    /** Bytes of a megabyte, the unit in which users write and read times of transfers. */
    public static final double MEGABYTE = 1e6;

    /** Numbers of a large vector, which is cut as the vectors of a pipeline are. */
    private static final int LARGE = 1 << 19;

    /** Bytes of a buffer of Flink's network stack. */
    private static final int BUFFER = 1 << 15;

    /** Tensors of an end, which are more than caches hold: those of a step are computed between. */
    private static final int TENSORS = 16;

    /**
     * Processor time of a transfer in a job over that of this measure, which has neither Flink's
     * threads, queues and credits nor what a step computes between two transfers. In an idle job
     * (the benchmark {@code Pipelines} with cifarnet) threads took 1.4 ns a byte at each end, and
     * copies from and to tensors 1.0 ns; this measure has 0.8 ns.
     */
    private static final double FLINK = 3;

    private static final long WARM_UP_NANOS = 500_000_000L;
    private static final long ENOUGH_NANOS = 300_000_000L;

    private final ExecutorService echoing = Executors.newSingleThreadExecutor();
    private final End near;
    private final End far;

    private TransferTimer() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            near = new End(SocketChannel.open(server.getLocalAddress()));
            far = new End(server.accept());
        }
    }

    /**
     * The processor time of a transfer at one of its ends.
     *
     * @throws UncheckedIOException if the machine allows no connection to itself
     */
    public static Handling measure() {
        try (TransferTimer timer = new TransferTimer()) {
            timer.seconds(LARGE, WARM_UP_NANOS);
            double large = timer.seconds(LARGE, ENOUGH_NANOS);
            double small = timer.seconds(1, ENOUGH_NANOS / 2);
            long bytes = (long) LARGE * Float.BYTES;
            return new Handling(FLINK * small, FLINK * Math.max(0, large - small) / bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Mean processor seconds of one end for a vector of this length. */
    private double seconds(int length, long nanos) throws IOException {
        long start = System.nanoTime();
        ThreadTime here = ThreadTime.start();
        CompletableFuture<Double> there =
                CompletableFuture.supplyAsync(() -> far.echo(length), echoing);
        long vectors = 0;
        for (boolean more = true; more; ) {
            more = System.nanoTime() - start < nanos;
            near.send(length, more);
            near.receive(length);
            // Each of both has two ends.
            vectors += 2;
        }
        return (here.seconds() + there.join()) / (2 * vectors);
    }

    /** One end of the connection. */
    private static final class End implements AutoCloseable {
        private final SocketChannel channel;
        private final DataOutputSerializer written = new DataOutputSerializer(BUFFER);
        private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER);
        private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER);
        private final FloatBuffer[] tensors = new FloatBuffer[TENSORS];
        private byte[] record = new byte[BUFFER];
        private int next;

        private End(SocketChannel channel) throws IOException {
            this.channel = channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            in.flip();
            for (int i = 0; i < TENSORS; i++) {
                tensors[i] =
                        ByteBuffer.allocateDirect(LARGE * Float.BYTES)
                                .order(ByteOrder.nativeOrder())
                                .asFloatBuffer();
            }
        }

        /** The memory of a tensor that has not been used for some time. */
        private FloatBuffer tensor() {
            next = (next + 1) % TENSORS;
            return tensors[next].clear();
        }

        /** Sends vectors back until one is the last; returns processor seconds. */
        private double echo(int length) {
            ThreadTime time = ThreadTime.start();
            try {
                for (boolean more = true; more; ) {
                    more = receive(length);
                    send(length, more);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return time.seconds();
        }

        /** Sends a tensor. */
        private void send(int length, boolean more) {
            float[] values = new float[length];
            tensor().get(values);
            StageMessage.Floats.send(
                    0, more ? 1 : 0, 0, Content.INPUTS, 0, values, 0, values.length, this::send);
        }

        private void send(StageMessage message) {
            try {
                written.clear();
                written.writeInt(0);
                Codecs.STAGE.write(message, written);
                int length = written.length();
                written.writeIntUnsafe(length - Integer.BYTES, 0);
                byte[] bytes = written.getSharedBuffer();
                for (int from = 0; from < length; from += BUFFER) {
                    out.clear().put(bytes, from, Math.min(BUFFER, length - from)).flip();
                    while (out.hasRemaining()) {
                        channel.write(out);
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Receives a vector; false if it is the last one. */
        private boolean receive(int length) throws IOException {
            float[] values = new float[length];
            boolean more = true;
            for (int missing = length; missing > 0; ) {
                read(Integer.BYTES);
                int size = ByteBuffer.wrap(record).getInt();
                read(size);
                StageMessage.Floats part =
                        (StageMessage.Floats)
                                Codecs.STAGE.read(new DataInputDeserializer(record, 0, size));
                System.arraycopy(part.array(), part.from(), values, part.offset(), part.count());
                missing -= part.count();
                more = part.step() > 0;
            }
            tensor().put(values);
            return more;
        }

        private void read(int length) throws IOException {
            if (record.length < length) {
                record = new byte[length];
            }
            for (int at = 0; at < length; ) {
                if (!in.hasRemaining()) {
                    in.clear();
                    if (channel.read(in) < 0) {
                        throw new IOException("the other end has closed the connection");
                    }
                    in.flip();
                }
                int count = Math.min(in.remaining(), length - at);
                in.get(record, at, count);
                at += count;
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    @Override
    public void close() throws IOException {
        echoing.shutdown();
        near.close();
        far.close();
    }
}
