package dev.levee.k8s.allocator.store;

import dev.levee.k8s.allocator.InMemoryJobStore;
import dev.levee.k8s.allocator.JobStore;

class InMemoryJobStoreTest extends JobStoreContract {
    @Override
    protected JobStore empty() {
        return new InMemoryJobStore();
    }
}
