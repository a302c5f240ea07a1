package dev.levee.jobs.restore;

import java.io.ObjectInputFilter;
import java.util.List;
import java.util.function.BinaryOperator;

/**
 * Limits the classes that Java deserialization may load when Flink reads stored data: metadata of
 * checkpoints and savepoints, state, and the job graphs of high availability. It does not affect
 * other deserialization. A process installs it with {@code -Djdk.serialFilterFactory=} and this
 * class on its class path. {@value #MORE} lists additional classes of users' jobs in the syntax of
 * {@link ObjectInputFilter.Config#createFilter}, such as {@code com.example.**}.
 */
public final class RestoreFilter implements BinaryOperator<ObjectInputFilter> {
    /** System property with patterns of additional classes that stored state may name. */
    public static final String MORE = "levee.state.classes";

    private static final String FLINK = "org.apache.flink.";

    /** Delivers messages. Frames further up the stack belong to other work, so they are ignored. */
    private static final String MESSAGES = "org.apache.pekko.";

    private static final List<String> READERS =
            List.of(
                    "org.apache.flink.runtime.checkpoint.",
                    "org.apache.flink.runtime.state.",
                    "org.apache.flink.runtime.util.StateHandleStoreUtils",
                    "org.apache.flink.streaming.api.operators.collect.CollectSinkOperatorCoordinator");
    private static final String NAMED =
            "org.apache.flink.**;java.lang.*;java.util.**;java.time.**;java.math.*;"
                    + "java.net.URI;java.net.URL;java.net.Inet*;!*";

    private final ObjectInputFilter stored =
            ObjectInputFilter.Config.createFilter(
                    System.getProperty(MORE, "").isBlank()
                            ? NAMED
                            : System.getProperty(MORE) + ";" + NAMED);

    /** Called by the JVM, which creates the filter by its class name. */
    public RestoreFilter() {}

    /** Installs the filter in this process, unless it was started with another factory. */
    public static void install() {
        try {
            ObjectInputFilter.Config.setSerialFilterFactory(new RestoreFilter());
        } catch (IllegalStateException e) {
            // The user set another factory with the same property, and it takes precedence.
        }
    }

    /**
     * @param current the stream's current filter, null when the stream is created
     * @param next the requested filter: at first that of the process, which may be null
     */
    @Override
    public ObjectInputFilter apply(ObjectInputFilter current, ObjectInputFilter next) {
        if (current != null) {
            return next == null ? current : ObjectInputFilter.merge(next, current);
        }
        return readsWhatWasStored() ? ObjectInputFilter.merge(stored, next) : next;
    }

    private static boolean readsWhatWasStored() {
        return StackWalker.getInstance()
                .walk(
                        frames ->
                                frames.map(StackWalker.StackFrame::getClassName)
                                        .takeWhile(name -> !name.startsWith(MESSAGES))
                                        .anyMatch(RestoreFilter::reader));
    }

    /** Uses no Java stream, because it is called for each stack frame of each deserialization. */
    private static boolean reader(String className) {
        if (className.startsWith(FLINK)) {
            for (String reader : READERS) {
                if (className.startsWith(reader)) {
                    return true;
                }
            }
        }
        return false;
    }
}
