package dev.levee.gar.internal.gpu;

import static jcuda.driver.JCudaDriver.cuCtxSetCurrent;
import static jcuda.driver.JCudaDriver.cuDeviceGet;
import static jcuda.driver.JCudaDriver.cuDeviceGetCount;
import static jcuda.driver.JCudaDriver.cuDeviceGetName;
import static jcuda.driver.JCudaDriver.cuDevicePrimaryCtxRetain;
import static jcuda.driver.JCudaDriver.cuInit;
import static jcuda.driver.JCudaDriver.cuLaunchKernel;
import static jcuda.driver.JCudaDriver.cuMemAlloc;
import static jcuda.driver.JCudaDriver.cuMemFree;
import static jcuda.driver.JCudaDriver.cuMemFreeHost;
import static jcuda.driver.JCudaDriver.cuMemGetInfo;
import static jcuda.driver.JCudaDriver.cuMemHostAlloc;
import static jcuda.driver.JCudaDriver.cuMemcpyDtoHAsync;
import static jcuda.driver.JCudaDriver.cuMemcpyHtoDAsync;
import static jcuda.driver.JCudaDriver.cuModuleGetFunction;
import static jcuda.driver.JCudaDriver.cuModuleLoadData;
import static jcuda.driver.JCudaDriver.cuStreamCreate;
import static jcuda.driver.JCudaDriver.cuStreamSynchronize;

import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Uses the first GPU that the CUDA driver lists, through the driver API. The driver compiles the
 * PTX file beside this class. This is the only class that needs JCuda: without JCuda or a driver,
 * access to it throws a {@link LinkageError}.
 */
final class JCudaAccelerator implements Accelerator {
    private static final int THREADS_PER_BLOCK = 128;

    private final CUcontext context = new CUcontext();
    private final CUmodule module = new CUmodule();
    private final CUstream[] streams = new CUstream[STREAMS];
    private final Map<String, CUfunction> functions = new HashMap<>();
    private final String name;

    /** Opens the device, or throws an {@link IllegalStateException} with the reason. */
    JCudaAccelerator() {
        JCudaDriver.setExceptionsEnabled(false);
        check("starting the CUDA driver", cuInit(0));
        int[] devices = new int[1];
        check("counting devices", cuDeviceGetCount(devices));
        if (devices[0] == 0) {
            throw new IllegalStateException("the CUDA driver finds no device");
        }
        CUdevice device = new CUdevice();
        check("opening the device", cuDeviceGet(device, 0));
        byte[] text = new byte[256];
        check("reading the device's name", cuDeviceGetName(text, text.length, device));
        name = new String(text, StandardCharsets.UTF_8).replaceAll("\0.*", "");
        check("opening the device", cuDevicePrimaryCtxRetain(context, device));
        bind();
        byte[] ptx = ptx();
        // The driver reads a string that ends in a zero.
        int loaded = cuModuleLoadData(module, Arrays.copyOf(ptx, ptx.length + 1));
        if (loaded == CUresult.CUDA_ERROR_UNSUPPORTED_PTX_VERSION) {
            throw new IllegalStateException(
                    "the driver of %s is too old for the kernels: it must be 580 or later"
                            .formatted(name));
        }
        check("compiling the kernels for " + name, loaded);
        for (int s = 0; s < STREAMS; s++) {
            streams[s] = new CUstream();
            check("making a stream", cuStreamCreate(streams[s], 0));
        }
    }

    private static byte[] ptx() {
        try (InputStream in = JCudaAccelerator.class.getResourceAsStream("kernels.ptx")) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void bind() {
        check("using the device", cuCtxSetCurrent(context));
    }

    @Override
    public long free() {
        long[] free = new long[1];
        check("asking for free memory", cuMemGetInfo(free, new long[1]));
        return free[0];
    }

    @Override
    public HostMemory allocateHost(long bytes) {
        Pointer pointer = new Pointer();
        check("pinning " + bytes + " bytes", cuMemHostAlloc(pointer, bytes, 0));
        return new Pinned(pointer, pointer.getByteBuffer(0, bytes).order(ByteOrder.nativeOrder()));
    }

    @Override
    public DeviceMemory allocate(long bytes) {
        Global memory = new Global();
        check("allocating " + bytes + " bytes of device memory", cuMemAlloc(memory, bytes));
        return memory;
    }

    @Override
    public void release(HostMemory memory) {
        check("freeing pinned memory", cuMemFreeHost(((Pinned) memory).pointer()));
    }

    @Override
    public void release(DeviceMemory memory) {
        check("freeing device memory", cuMemFree((Global) memory));
    }

    @Override
    public void upload(int stream, HostMemory from, DeviceMemory to, long offset, long bytes) {
        CUdeviceptr target = ((Global) to).withByteOffset(offset);
        Pointer source = ((Pinned) from).pointer();
        check("uploading", cuMemcpyHtoDAsync(target, source, bytes, streams[stream]));
    }

    @Override
    public void download(int stream, DeviceMemory from, long offset, HostMemory to, long bytes) {
        CUdeviceptr source = ((Global) from).withByteOffset(offset);
        Pointer target = ((Pinned) to).pointer();
        check("downloading", cuMemcpyDtoHAsync(target, source, bytes, streams[stream]));
    }

    @Override
    public void launch(int stream, String kernel, long threads, long... fields) {
        CUfunction function = functions.computeIfAbsent(kernel, this::function);
        int blocks = Math.toIntExact((threads + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK);
        Pointer parameters = Pointer.to(Pointer.to(fields));
        check(
                "running the kernel " + kernel,
                cuLaunchKernel(
                        function,
                        blocks,
                        1,
                        1,
                        THREADS_PER_BLOCK,
                        1,
                        1,
                        0,
                        streams[stream],
                        parameters,
                        null));
    }

    @Override
    public void synchronize(int stream) {
        check("waiting for the device", cuStreamSynchronize(streams[stream]));
    }

    private CUfunction function(String kernel) {
        CUfunction function = new CUfunction();
        check("finding the kernel " + kernel, cuModuleGetFunction(function, module, kernel));
        return function;
    }

    private static void check(String doing, int result) {
        if (result != CUresult.CUDA_SUCCESS) {
            throw new IllegalStateException(doing + " failed: " + CUresult.stringFor(result));
        }
    }

    private record Pinned(Pointer pointer, ByteBuffer bytes) implements HostMemory {}

    /** A device pointer that exposes its address, which kernels take as a field of their struct. */
    private static final class Global extends CUdeviceptr implements DeviceMemory {
        @Override
        public long address() {
            return getNativePointer();
        }
    }
}
