package dev.levee.learners.internal.djl.natives;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;
import ai.djl.util.ClassLoaderUtils;
import ai.djl.util.Platform;

import dev.levee.learners.internal.HiddenCaches;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Loads DJL's PyTorch engine from the class path, with one thread per operation. */
public final class Natives {
    private static final Logger LOG = LoggerFactory.getLogger(Natives.class);

    /** DJL's setting of the glue code for libraries on disk. */
    private static final String FLAVOR = "PYTORCH_FLAVOR";

    private static final Device CPU = Device.cpu();

    private static boolean loaded;

    private Natives() {}

    /** True if the user says where on disk PyTorch is. */
    public static boolean onDisk() {
        return LibraryFolder.named().isPresent();
    }

    /**
     * Checks what is on disk where the user says, if there is such a place.
     *
     * @throws IllegalStateException if it cannot be used; one sentence
     */
    public static void checkOnDisk() {
        LibraryFolder.named().ifPresent(LibraryFolder::check);
    }

    /** True if the natives are on the class path, or on disk where the user says. */
    public static synchronized boolean complete() {
        if (loaded || onDisk()) {
            return true;
        }
        try {
            return ClassLoaderUtils.getResource("pytorch-engine.properties") != null
                    && !Platform.detectPlatform("pytorch").isPlaceholder()
                    && ClassLoaderUtils.getResource("jnilib/pytorch.properties") != null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static synchronized void load() {
        if (loaded) {
            return;
        }
        // Before the engine's first class: it would report its use and download what is missing.
        if (System.getProperty("ai.djl.offline") == null) {
            System.setProperty("ai.djl.offline", "true");
        }
        HiddenCaches.limitHere();
        LibraryFolder.named().ifPresent(Natives::prepare);
        Engine.getEngine("PyTorch");
        loaded = true;
    }

    /**
     * By default, DJL looks for glue code for libraries on disk that were built with the old ABI of
     * libstdc++, or for their version of CUDA, which its jar does not have. Its code for CPUs fits
     * all: nothing here computes on a GPU.
     */
    private static void prepare(LibraryFolder folder) {
        LOG.info(folder.words());
        if (System.getenv(FLAVOR) == null && System.getProperty(FLAVOR) == null) {
            System.setProperty(FLAVOR, "cpu");
        }
    }

    /**
     * Makes operations of the calling thread run on it alone. Sums are then formed in one order,
     * and as many learners compute at a time as there are threads. PyTorch keeps the number for
     * each thread.
     */
    public static void oneThread() {
        JniUtils.setNumThreads(1);
    }

    /** A manager of native memory; the caller closes it. */
    public static PtNDManager newManager() {
        return (PtNDManager) Engine.getEngine("PyTorch").newBaseManager(CPU);
    }

    /** A copy of a tensor's values. */
    public static float[] floats(PtNDArray array) {
        float[] values = new float[Math.toIntExact(array.size())];
        array.toByteBuffer(true).asFloatBuffer().get(values);
        return values;
    }
}
