package dev.levee.gar.internal.gpu;

import dev.levee.gar.Device;
import dev.levee.gar.internal.Backend;
import dev.levee.gar.internal.CpuBackend;
import dev.levee.gar.internal.Provider;

/** Provides the backend of each device. It looks for a GPU when a GPU is first requested. */
public final class Backends {
    private static final System.Logger LOG = System.getLogger(Device.class.getName());

    /** The processor. */
    private static final Backend CPU = new CpuBackend(Provider.KERNELS);

    private Backends() {}

    /** The backend of a device: see {@link Device}. */
    public static Backend of(Device device) {
        return switch (device) {
            case CPU -> CPU;
            case GPU -> gpu();
            case AUTO -> Auto.CHOSEN;
        };
    }

    /** The backend of a device. On the processor, it uses this many threads. */
    public static Backend of(Device device, int threads) {
        Backend backend = of(device);
        return backend == CPU && threads != 1 ? new CpuBackend(Provider.KERNELS, threads) : backend;
    }

    /** The GPU that was found, or the reason why there is none. */
    static Gpu found() {
        return Found.GPU;
    }

    private static Backend gpu() {
        if (Found.GPU.backend() == null) {
            throw new IllegalArgumentException(
                    "device gpu needs a GPU: " + Found.GPU.reason() + "; use cpu or auto");
        }
        return Found.GPU.backend();
    }

    private static final class Found {
        static final Gpu GPU = Gpu.open(CPU);
    }

    private static final class Auto {
        static final Backend CHOSEN = choose();

        private static Backend choose() {
            Gpu gpu = Found.GPU;
            if (gpu.backend() == null) {
                LOG.log(
                        System.Logger.Level.INFO,
                        "device auto uses the processor: " + gpu.reason());
                return CPU;
            }
            LOG.log(System.Logger.Level.INFO, "device auto uses " + gpu.backend().name());
            return gpu.backend();
        }
    }
}
