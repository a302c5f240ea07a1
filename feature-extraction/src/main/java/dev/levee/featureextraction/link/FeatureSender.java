package dev.levee.featureextraction.link;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Sends frames to a {@link FeatureReceiver}, each when the one before has been taken. */
public final class FeatureSender implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 10_000;

    private final InetSocketAddress address;
    private Socket socket;
    private DataInputStream in;
    private DataOutputStream out;

    /**
     * @param address of the receiver, or of a link to it
     */
    public FeatureSender(InetSocketAddress address) {
        this.address = address;
    }

    /**
     * Sends a frame and returns when the receiver has it.
     *
     * @throws IOException if it cannot be reached or does not take it; one sentence
     */
    public void send(byte[] frame) throws IOException {
        try {
            connect();
            out.writeInt(frame.length);
            out.write(frame);
            out.flush();
            if (in.readByte() != FeatureReceiver.TAKEN) {
                throw new IOException("it found the frame damaged");
            }
        } catch (IOException e) {
            close();
            throw new IOException(
                    "the compute tier at " + address + " did not take features: " + e.getMessage(),
                    e);
        }
    }

    private void connect() throws IOException {
        if (socket == null) {
            Socket connecting = new Socket();
            connecting.connect(address, PATIENCE_MILLIS);
            connecting.setTcpNoDelay(true);
            socket = connecting;
            in = new DataInputStream(socket.getInputStream());
            out = new DataOutputStream(socket.getOutputStream());
        }
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }
}
