package dev.levee.gar.internal.gpu;

import dev.levee.gar.internal.gpu.Accelerator.DeviceMemory;
import dev.levee.gar.internal.gpu.Accelerator.HostMemory;

import java.nio.ByteBuffer;

/**
 * Small arrays that all groups of a call read, copied to the device once and released at the end.
 */
final class Constants implements AutoCloseable {
    private final Accelerator device;
    private final HostMemory host;
    private final DeviceMemory memory;

    /** Allocates this many bytes, which include alignment. */
    Constants(Accelerator device, long bytes) {
        this.device = device;
        memory = device.allocate(Math.max(Long.BYTES, bytes));
        try {
            host = device.allocateHost(Math.max(Long.BYTES, bytes));
        } catch (RuntimeException e) {
            device.release(memory);
            throw e;
        }
    }

    /** Number of bytes that an array of {@code bytes} bytes takes with alignment. */
    static long room(long bytes) {
        return (bytes + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
    }

    /** Adds an array; returns its address on the device. */
    long add(int[] values) {
        ByteBuffer bytes = host.bytes();
        long address = memory.address() + bytes.position();
        bytes.asIntBuffer().put(values);
        bytes.position(bytes.position() + (int) room((long) values.length * Integer.BYTES));
        return address;
    }

    /** Adds an array; returns its address on the device. */
    long add(double[][] rows) {
        ByteBuffer bytes = host.bytes();
        long address = memory.address() + bytes.position();
        for (double[] row : rows) {
            bytes.asDoubleBuffer().put(row);
            bytes.position(bytes.position() + row.length * Double.BYTES);
        }
        return address;
    }

    /** Copies the added arrays to the device. */
    void upload() {
        device.upload(0, host, memory, 0, host.bytes().position());
        device.synchronize(0);
    }

    @Override
    public void close() {
        device.release(memory);
        device.release(host);
    }
}
