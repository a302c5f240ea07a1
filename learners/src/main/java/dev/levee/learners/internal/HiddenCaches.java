package dev.levee.learners.internal;

import com.sun.jna.NativeLibrary;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Prevents wrong gradients of PyTorch on virtual machines with AMD processors that do not report
 * the sizes of their caches. On such machines, oneDNN (3.7, in PyTorch 2.7) assumes a first-level
 * cache of one byte and splits its reordering accordingly. Its code for padded blocks does not
 * support this: if the number of channels of a convolution is not a multiple of 16, the gradients
 * are partly zero or not finite. If oneDNN is limited to AVX, it does not use these blocks.
 */
public final class HiddenCaches {
    /**
     * Environment variable that names the newest instructions that oneDNN may use. oneDNN reads it
     * once, when it is loaded.
     */
    private static final String VARIABLE = "ONEDNN_MAX_CPU_ISA";

    private static final String OLDER_VARIABLE = "DNNL_MAX_CPU_ISA";

    private static final Logger LOG = LoggerFactory.getLogger(HiddenCaches.class);
    private static final String LIMIT = "AVX";

    private HiddenCaches() {}

    /**
     * Limits this process, unless the user has set a limit. Must be called before PyTorch is
     * loaded.
     */
    public static void limitHere() {
        if (needed(System.getenv())) {
            LOG.warn(
                    "This machine hides the sizes of its caches, so PyTorch would compute wrong"
                            + " gradients. Its convolutions use {} only and take about twice as"
                            + " long",
                    LIMIT);
            // Use JNA, which DJL depends on: Java cannot set variables of its own process.
            NativeLibrary.getInstance("c")
                    .getFunction("setenv")
                    .invokeInt(new Object[] {VARIABLE, LIMIT, 0});
        }
    }

    /**
     * Limits a process that will be started with these variables, unless the user has set a limit.
     */
    public static void limit(Map<String, String> environment) {
        if (needed(environment)) {
            environment.put(VARIABLE, LIMIT);
        }
    }

    private static boolean needed(Map<String, String> environment) {
        return !environment.containsKey(VARIABLE)
                && !environment.containsKey(OLDER_VARIABLE)
                && hidden(Path.of("/"));
    }

    /**
     * True if this machine hides the sizes of its caches.
     *
     * @param root directory that contains Linux's {@code sys} and {@code proc}
     */
    static boolean hidden(Path root) {
        Path processor = root.resolve("sys/devices/system/cpu/cpu0");
        if (!Files.exists(processor) || Files.exists(processor.resolve("cache"))) {
            return false;
        }
        Path description = root.resolve("proc/cpuinfo");
        try {
            return Files.exists(description)
                    && Files.readString(description).contains("AuthenticAMD");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
