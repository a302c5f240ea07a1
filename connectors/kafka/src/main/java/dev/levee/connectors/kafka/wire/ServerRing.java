package dev.levee.connectors.kafka.wire;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The servers whose models and states a reader trusts. The one server of a run is the job, and
 * signs with its key. With several servers, each has its own key: a frame belongs to the server
 * that has signed it, whatever it says; the job signs its own state.
 *
 * @param job the job's public key, null in a run without keys
 * @param servers public keys of several servers, in order; entries are null in a run without keys,
 *     which believes every claim; empty if there is one server
 */
public record ServerRing(VerifyingKey job, List<VerifyingKey> servers) implements Serializable {
    /** Copies the keys. */
    public ServerRing {
        servers = Collections.unmodifiableList(new ArrayList<>(servers));
        if (servers.size() == 1) {
            throw new IllegalArgumentException("one server signs with the job's key");
        }
    }

    /** The ring of one server. */
    public static ServerRing of(VerifyingKey job) {
        return new ServerRing(job, List.of());
    }

    /** Several servers in a run without keys. */
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
     * True if a frame says that it is of one of so many servers; says nothing about who made it.
     */
    public boolean names(Frame frame) {
        return frame.kind() != FrameKind.MODEL || frame.servers() == count();
    }

    /**
     * True if a frame that {@link #names} a server is intact and, where keys are used, signed by
     * that server or, if it is no model, by the job.
     */
    public boolean believes(Frame frame) {
        return frame.authentic(
                frame.kind() == FrameKind.MODEL && !servers.isEmpty()
                        ? servers.get(frame.server())
                        : job);
    }
}
