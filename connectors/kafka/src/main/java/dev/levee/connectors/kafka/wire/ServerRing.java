package dev.levee.connectors.kafka.wire;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The servers whose models and states a reader trusts. A single server is the job, and signs with
 * the job's key. If there are several servers, each has its own key: a model must be signed by the
 * server that it names, and the job signs states.
 *
 * @param job the job's public key, null in a run without keys
 * @param servers public keys of several servers, in order; entries are null in a run without keys,
 *     in which every claim is trusted; empty if there is one server
 */
public record ServerRing(VerifyingKey job, List<VerifyingKey> servers) implements Serializable {
    /** Copies the keys. */
    public ServerRing {
        servers = Collections.unmodifiableList(new ArrayList<>(servers));
        if (servers.size() == 1) {
            throw new IllegalArgumentException("one server signs with the job's key");
        }
    }

    /** The ring of a run with one server. */
    public static ServerRing of(VerifyingKey job) {
        return new ServerRing(job, List.of());
    }

    /** The ring of several servers in a run without keys. */
    public static ServerRing open(int servers) {
        return new ServerRing(null, Collections.nCopies(servers == 1 ? 0 : servers, null));
    }

    /** Number of servers. */
    public int count() {
        return Math.max(1, servers.size());
    }

    /** True if records are signed. */
    public boolean signed() {
        return job != null || !servers.isEmpty() && servers.get(0) != null;
    }

    /**
     * True if a frame claims the right number of servers, or is not a model. Does not check the
     * sender.
     */
    public boolean names(Frame frame) {
        return frame.kind() != FrameKind.MODEL || frame.servers() == count();
    }

    /**
     * True if a frame that {@link #names} accepts is intact and, in runs with keys, signed: a model
     * by the server that it names, other kinds by the job.
     */
    public boolean believes(Frame frame) {
        return frame.authentic(
                frame.kind() == FrameKind.MODEL && !servers.isEmpty()
                        ? servers.get(frame.server())
                        : job);
    }
}
