package dev.levee.gar.internal.gpu;

import java.nio.ByteBuffer;

/**
 * A device's memory and kernels, which {@link GpuBackend} uses. Calls on one stream run in order;
 * different streams may overlap. Every failure is an {@link IllegalStateException}. Not
 * thread-safe.
 */
interface Accelerator {
    /** Streams that can be used, numbered from 0. */
    int STREAMS = 2;

    /** Host memory that the device reads and writes directly. */
    interface HostMemory {
        /** The whole memory, in native byte order; at most 2 GiB. */
        ByteBuffer bytes();
    }

    /** Memory of the device. */
    interface DeviceMemory {
        /** The address of the first byte, as kernels see it. */
        long address();
    }

    /** The name that the device reports. */
    String name();

    /** Makes the device usable by the calling thread. */
    void bind();

    /** Bytes of device memory that are free now. */
    long free();

    HostMemory allocateHost(long bytes);

    DeviceMemory allocate(long bytes);

    void release(HostMemory memory);

    void release(DeviceMemory memory);

    /** Enqueues a copy of the first bytes to the device, to {@code offset}. */
    void upload(int stream, HostMemory from, DeviceMemory to, long offset, long bytes);

    /** Enqueues a copy of the bytes from {@code offset} on, to the host. */
    void download(int stream, DeviceMemory from, long offset, HostMemory to, long bytes);

    /**
     * Enqueues a kernel.
     *
     * @param threads number of threads with work; more may run
     * @param fields the 8-byte fields of the kernel's struct
     */
    void launch(int stream, String kernel, long threads, long... fields);

    /** Waits for everything enqueued on a stream. */
    void synchronize(int stream);
}
