package dev.levee.jobs.restore;

import java.io.ObjectInputFilter;
import java.util.List;
import java.util.function.BinaryOperator;

/**
 * The classes that Java deserialization may name when Flink reads stored data: metadata of
 * checkpoints and savepoints, state, and the job graphs of high availability. Elsewhere it changes
 * nothing. A process takes it by {@code -Djdk.serialFilterFactory=}, with this class on its own
 * class path; of users' jobs, {@value #MORE} lists further classes as {@link
 * ObjectInputFilter.Config#createFilter} reads them, {@code com.example.**} for instance.
 */
public final class RestoreFilter implements BinaryOperator<ObjectInputFilter> {
    /** System property: patterns of classes that stored state may name besides. */
    public static final String MORE = "levee.state.classes";

    private static final String FLINK = "org.apache.flink.";

    /** Delivers messages, of which none waits for another: callers further up read nothing. */
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

    /** Makes this process take it, unless it was started with a factory of its own. */
    public static void install() {
        try {
            ObjectInputFilter.Config.setSerialFilterFactory(new RestoreFilter());
        } catch (IllegalStateException e) {
            // The user's own factory, by the same property, knows better.
        }
    }

    /**
     * @param current the stream's filter, null when it is made
     * @param next the new filter: the process's own at first, which may be null
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

    /** Without a stream: it is asked about each frame of each deserialization. */
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
