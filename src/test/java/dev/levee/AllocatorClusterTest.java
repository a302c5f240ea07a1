package dev.levee;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Allocators and the storage tier, one class after the other on one cluster of processes. */
@Tag("cluster")
class AllocatorClusterTest {
    @Nested
    class Allocators extends AllocateTest {}

    @Nested
    class Sharing extends AllocationTest {}

    @Nested
    class Storage extends StorageTierLossTest {}
}
