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
 * Keeps PyTorch from wrong gradients on virtual machines with AMD processors that do not report the
 * sizes of their caches. There oneDNN (3.7, in PyTorch 2.7) assumes a first-level cache of one byte
 * and splits what it reorders accordingly, which its code for padded blocks does not support:
 * gradients of convolutions whose number of channels is not a multiple of 16 are then partly zero
 * or not finite. Limited to AVX, oneDNN does not use these blocks.
 */
public final class HiddenCaches {
    /** Names the newest instructions that oneDNN may use; read once, when it is loaded. */
    private static final String VARIABLE = "ONEDNN_MAX_CPU_ISA";

    private static final String OLDER_VARIABLE = "DNNL_MAX_CPU_ISA";

    private static final Logger LOG = LoggerFactory.getLogger(HiddenCaches.class);
    private static final String LIMIT = "AVX";

    private HiddenCaches() {}

    /** Limits this process, unless the user has; to be called before PyTorch is loaded. */
    public static void limitHere() {
        if (needed(System.getenv())) {
            LOG.warn(
                    "This machine hides the sizes of its caches, so PyTorch would compute wrong"
                            + " gradients. Its convolutions use {} only and take about twice as"
                            + " long",
                    LIMIT);
            // DJL brings JNA. Java cannot set variables of its own process.
            NativeLibrary.getInstance("c")
                    .getFunction("setenv")
                    .invokeInt(new Object[] {VARIABLE, LIMIT, 0});
        }
    }

    /** Limits a process that starts with these variables, unless the user has. */
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
     * True on such a machine.
     *
     * @param root directory in which Linux shows {@code sys} and {@code proc}
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
