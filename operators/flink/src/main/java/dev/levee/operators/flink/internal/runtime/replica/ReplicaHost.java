package dev.levee.operators.flink.internal.runtime.replica;

import dev.levee.operators.rounds.shard.Replica;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Holds a run's replica in one process. Unlike everything else of an attempt, it survives a
 * failure. It is dropped when the run ends, or when the job has no slots left in the process.
 */
public final class ReplicaHost {
    /** The id of this process. */
    public static final String PROCESS = UUID.randomUUID().toString();

    private record Key(String job, long run) {}

    private static final Map<Key, ReplicaHost> HOSTS = new HashMap<>();

    private final Key key;
    private final Replica replica;
    private int users;

    private ReplicaHost(Key key, Replica replica) {
        this.key = key;
        this.replica = replica;
    }

    /** Access of one subtask to the host. */
    public static final class User implements AutoCloseable {
        private final ReplicaHost host;
        private final boolean first;

        private User(ReplicaHost host, boolean first) {
            this.host = host;
            this.first = first;
        }

        /** True for the first subtask of an attempt, which reports for the process. */
        public boolean first() {
            return first;
        }

        public Replica replica() {
            return host.replica;
        }

        /** Called at the end of the run. */
        public void end() {
            forget(host.key);
        }

        @Override
        public void close() {
            synchronized (HOSTS) {
                host.users--;
            }
        }
    }

    /** Gets the host of a run in this process; close it to give it back. */
    public static User use(
            StreamingRuntimeContext context, long run, Training training, Slices slices) {
        Key key = new Key(context.getJobInfo().getJobId().toString(), run);
        context.registerUserCodeClassLoaderReleaseHookIfAbsent(
                "replica of run " + run, () -> forget(key));
        synchronized (HOSTS) {
            ReplicaHost host =
                    HOSTS.computeIfAbsent(
                            key, each -> new ReplicaHost(each, new Replica(training, slices)));
            return new User(host, host.users++ == 0);
        }
    }

    /** The replica of a run in this process, null if there is none. */
    public static Replica find(StreamingRuntimeContext context, long run) {
        synchronized (HOSTS) {
            ReplicaHost host = HOSTS.get(new Key(context.getJobInfo().getJobId().toString(), run));
            return host == null ? null : host.replica;
        }
    }

    private static void forget(Key key) {
        synchronized (HOSTS) {
            HOSTS.remove(key);
        }
    }
}
