package dev.levee.featureextraction.flink;

import dev.levee.featureextraction.link.FeatureSender;

import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Sends frames to the compute tier.
 *
 * @param host of the compute tier, or of a link to it
 * @param port of it
 */
record FeatureSink(String host, int port) implements Sink<byte[]> {
    @Override
    public SinkWriter<byte[]> createWriter(WriterInitContext context) {
        return new Writer(new FeatureSender(new InetSocketAddress(host, port)));
    }

    private record Writer(FeatureSender sender) implements SinkWriter<byte[]> {
        @Override
        public void write(byte[] frame, Context context) {
            try {
                sender.send(frame);
            } catch (IOException e) {
                throw new IllegalStateException(e.getMessage(), e);
            }
        }

        @Override
        public void flush(boolean endOfInput) {
            // Each frame is taken before the next is sent.
        }

        @Override
        public void close() throws IOException {
            sender.close();
        }
    }
}
