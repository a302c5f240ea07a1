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

    /** DJL's setting that selects its native code for libraries on disk. */
    private static final String FLAVOR = "PYTORCH_FLAVOR";

    private static final Device CPU = Device.cpu();

    private static boolean loaded;

    private Natives() {}

    /** True if the user names a folder with PyTorch on disk. */
    public static boolean onDisk() {
        return LibraryFolder.named().isPresent();
    }

    /**
     * Checks the folder that the user names, if any.
     *
     * @throws IllegalStateException if it cannot be used; one sentence
     */
    public static void checkOnDisk() {
        LibraryFolder.named().ifPresent(LibraryFolder::check);
    }

    /** True if the natives are on the class path, or the user names a folder on disk. */
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
        // Set this before the engine's first class is loaded: the engine would otherwise report its
        // use and download missing files.
        if (System.getProperty("ai.djl.offline") == null) {
            System.setProperty("ai.djl.offline", "true");
        }
        HiddenCaches.limitHere();
        LibraryFolder.named().ifPresent(Natives::prepare);
        Engine.getEngine("PyTorch");
        loaded = true;
    }

    /**
     * Selects DJL's native code for CPUs. For libraries on disk, DJL by default looks for native
     * code with libstdc++'s old ABI or for the libraries' version of CUDA, which its jar does not
     * contain. The code for CPUs works with all libraries, because models do not compute on a GPU
     * here.
     */
    private static void prepare(LibraryFolder folder) {
        LOG.info(folder.words());
        if (System.getenv(FLAVOR) == null && System.getProperty(FLAVOR) == null) {
            System.setProperty(FLAVOR, "cpu");
        }
    }

    /**
     * Makes the calling thread's operations run on this thread only. Sums then have a fixed order,
     * and each thread can run its own learner. PyTorch keeps this setting per thread.
     */
    public static void oneThread() {
        JniUtils.setNumThreads(1);
    }

    /** Creates a manager of native memory; the caller closes it. */
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
