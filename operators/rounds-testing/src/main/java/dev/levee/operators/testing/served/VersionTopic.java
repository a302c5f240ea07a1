package dev.levee.operators.testing.served;

import dev.levee.connectors.kafka.job.VersionAssembly;
import dev.levee.connectors.kafka.job.VersionAssembly.Version;
import dev.levee.connectors.kafka.job.VersionPart;
import dev.levee.operators.testing.Drive;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A topic of versions and its only writer. A crash of the job does not undo a version. */
final class VersionTopic {
    private final Drive plan;
    private final List<Version> versions = new ArrayList<>();
    private VersionAssembly writer;

    VersionTopic(Drive plan) {
        this.plan = plan;
        fence();
    }

    /** The newest version, −1 before the first. */
    long newest() {
        return versions.size() - 1L;
    }

    Version version(long number) {
        return versions.get((int) number);
    }

    List<Version> versions() {
        return versions;
    }

    /** Starts a new writer; the parts that its predecessor had are lost. */
    void fence() {
        long newest = newest();
        writer =
                new VersionAssembly(
                        plan.training(),
                        plan.slices(),
                        newest,
                        false,
                        newest < 0
                                ? null
                                : block -> version(newest).blocks().get(block).model().values());
    }

    /** True once all senders of parts continue from the newest version or the next. */
    boolean caughtUp() {
        return writer.missing() == 0;
    }

    /**
     * Adds a part; returns true if it completed a version.
     *
     * @throws IllegalStateException if the part contradicts the published version, or is older
     */
    boolean add(VersionPart part) {
        Optional<Version> whole = writer.add(part);
        whole.ifPresent(versions::add);
        return whole.isPresent();
    }
}
