package dev.levee;

import dev.levee.jobs.internal.cli.DetachedRunTest;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Runs that share a cluster or are left to it, one class after the other on one of processes. */
@Tag("cluster")
class AllocatorClusterTest {
    @Nested
    class Allocators extends AllocateTest {}

    @Nested
    class Detached extends DetachedRunTest {}

    @Nested
    class Queued extends QueueTest {}

    @Nested
    class Sharing extends AllocationTest {}

    @Nested
    class Storage extends StorageTierLossTest {}
}
