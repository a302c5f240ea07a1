package dev.levee.operators.rounds.participant;

import dev.levee.operators.rounds.report.Takeover;

import java.util.ArrayList;
import java.util.List;

/**
 * Records which replica participants read, and which replicas they have left since their last
 * model.
 */
final class ReplicaLog {
    /** A replica that fell silent. */
    private record Left(int silent, int next, long waitedMicros) {}

    private final List<Left> left = new ArrayList<>();
    private int read = -1;

    /** Records that participants stop waiting for a replica and turn to the next. */
    void left(int silent, int next, long waitedMicros) {
        left.add(new Left(silent, next, waitedMicros));
    }

    /**
     * Records the read of a model.
     *
     * @param offered the newest version that any replica has offered
     * @param participants how many participants work on it
     * @return the takeovers since the last model, empty if they read the same replica as before
     */
    List<Takeover> read(int server, long version, long offered, int participants) {
        int older = version < offered ? participants : 0;
        if (read < 0 && left.isEmpty()) {
            left.add(new Left(-1, server, 0));
        }
        List<Takeover> said = new ArrayList<>();
        for (int i = 0; i < left.size(); i++) {
            Left each = left.get(i);
            boolean last = i == left.size() - 1;
            said.add(
                    new Takeover(
                            0,
                            version,
                            each.silent(),
                            each.next(),
                            participants,
                            last ? older : 0,
                            each.waitedMicros()));
        }
        left.clear();
        read = server;
        return said;
    }
}
