package dev.levee.gar.internal.gpu;

import dev.levee.gar.internal.Backend;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Does coordinate work on a GPU: squared distances, inner products, means, medians, trimmed means
 * and means around a center. {@link GpuWork} leaves other work to the processor. GPU and processor
 * give the same bits, except for the payload of NaNs. Runs one aggregation at a time.
 */
public final class GpuBackend implements Backend {
    private final Accelerator device;
    private final Backend cpu;
    private final BlockGroups groups;
    private final ReentrantLock one = new ReentrantLock();

    GpuBackend(Accelerator device, Backend cpu) {
        this(device, cpu, BlockGroups.TARGET);
    }

    GpuBackend(Accelerator device, Backend cpu, long groupBytes) {
        this.device = device;
        this.cpu = cpu;
        groups = new BlockGroups(device, groupBytes);
    }

    /** The same device with groups of about this many bytes of rows, for tests. */
    GpuBackend inGroupsOf(long bytes) {
        return new GpuBackend(device, cpu, bytes);
    }

    /** The name that the device reports. */
    public String name() {
        return device.name();
    }

    @Override
    public Work on(float[][] rows, float[] previous) {
        one.lock();
        try {
            device.bind();
            return new GpuWork(device, groups, rows, previous, cpu.on(rows, previous), one::unlock);
        } catch (RuntimeException e) {
            one.unlock();
            throw e;
        }
    }
}
