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
 * Networks in code of their own, for those that have much to do: code takes one to four seconds of
 * processor time to compile, on a separate thread, and sorts up to six times as fast as passes over
 * columns do.
 */
final class Networks {
    /** Values that a network sorts before it gets code of its own: about 0.1 s of work. */
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

    /** The code of a network that is about to sort columns; null if it has none yet. */
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

    /** The work of a network without code so far, and its code. */
    private static final class Use {
        private final AtomicLong sorted = new AtomicLong();
        private volatile ColumnNetwork code;
    }
}
