package dev.levee.gar.internal.vector;

import dev.levee.gar.internal.Kernels;
import dev.levee.gar.internal.SortingNetwork;
import dev.levee.gar.internal.WarmUp;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Generates code for networks that sort many values. A separate thread compiles it, which takes one
 * to four seconds of processor time. The code then sorts up to six times as fast as passes over
 * columns.
 */
final class Networks {
    /** Number of values that a network sorts before it gets its own code, about 0.1 s of work. */
    private static final long MUCH = 1L << 28;

    private static final System.Logger LOG = System.getLogger(Kernels.class.getName());

    private final Map<SortingNetwork, Use> uses = new ConcurrentHashMap<>();

    /** One daemon thread, which ends when nothing is left to compile. */
    private final ThreadPoolExecutor worker =
            new ThreadPoolExecutor(
                    1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Networks::thread);

    Networks() {
        worker.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "compiling sorting networks");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Returns the compiled code of a network, null if there is none yet. Counts the columns that
     * the network is about to sort.
     */
    ColumnNetwork code(SortingNetwork network, int columns) {
        if (network.rows() > NetworkCode.MOST_ROWS || network.rows() < 2) {
            return null;
        }
        Use use = uses.computeIfAbsent(network, key -> new Use());
        if (use.code == null) {
            long values = (long) columns * network.rows();
            long before = use.sorted.getAndAdd(values);
            if (before < MUCH && before + values >= MUCH) {
                worker.execute(() -> compile(network, use));
            }
        }
        return use.code;
    }

    private static void compile(SortingNetwork network, Use use) {
        ColumnNetwork code = NetworkCode.of(network);
        int[][] keys = new int[network.rows()][32 * NetworkCode.LENGTH];
        if (WarmUp.compiled(() -> code.sort(keys, keys[0].length))) {
            use.code = code;
        } else {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Java has not compiled the code that sorts {0} rows: passes over columns sort"
                            + " them, which is slower",
                    network.rows());
        }
    }

    /** The number of values that a network has sorted without code, and its code. */
    private static final class Use {
        private final AtomicLong sorted = new AtomicLong();
        private volatile ColumnNetwork code;
    }
}
