package dev.levee.gar.internal.gpu;

import dev.levee.gar.internal.gpu.Accelerator.DeviceMemory;
import dev.levee.gar.internal.gpu.Accelerator.HostMemory;

/** The buffers of one stream, kept from call to call and grown when a call needs more. */
final class StreamBuffers {
    final int stream;
    private final Accelerator device;
    private HostMemory in;
    private HostMemory out;
    private DeviceMemory memory;
    private long memoryBytes;

    /** First coordinate and width of the group in progress. The width is 0 if there is none. */
    int from;

    int width;

    StreamBuffers(Accelerator device, int stream) {
        this.device = device;
        this.stream = stream;
    }

    /** Enlarges the buffers if needed. Their contents are lost. */
    void reserve(long inBytes, long outBytes, long deviceBytes) {
        in = reserve(in, inBytes);
        out = reserve(out, outBytes);
        if (memoryBytes < deviceBytes) {
            if (memory != null) {
                DeviceMemory old = memory;
                memory = null;
                memoryBytes = 0;
                device.release(old);
            }
            memory = device.allocate(deviceBytes);
            memoryBytes = deviceBytes;
        }
    }

    private HostMemory reserve(HostMemory present, long bytes) {
        if (present != null && present.bytes().capacity() >= bytes) {
            return present;
        }
        HostMemory larger = device.allocateHost(bytes);
        if (present != null) {
            device.release(present);
        }
        return larger;
    }

    /** Memory that is copied to the device. */
    HostMemory in() {
        return in;
    }

    /** Memory that is copied from the device. */
    HostMemory out() {
        return out;
    }

    /** The device's memory. */
    DeviceMemory memory() {
        return memory;
    }

    /** Bytes of device memory that the slot holds. */
    long held() {
        return memoryBytes;
    }
}
