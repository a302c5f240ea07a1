package dev.levee.k8s.store;

import dev.levee.k8s.InMemoryJobStore;
import dev.levee.k8s.JobStore;

class InMemoryJobStoreTest extends JobStoreContract {
    @Override
    protected JobStore empty() {
        return new InMemoryJobStore();
    }
}
