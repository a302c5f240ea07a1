package dev.levee.featureextraction.flink;

import dev.levee.featureextraction.serve.RequestOutcome;
import dev.levee.featureextraction.serve.StorageLimits;
import dev.levee.featureextraction.serve.StorageTier;

import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.MetricGroup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** One subtask of the source: a storage tier that listens at its own port. */
final class StorageReader implements SourceReader<RequestOutcome, StorageSource.Door> {
    private final InetSocketAddress address;
    private final StorageLimits limits;
    private final MetricGroup metrics;
    private final TenantMetrics tenants;
    private final Queue<RequestOutcome> served = new ArrayDeque<>();
    private CompletableFuture<Void> available = new CompletableFuture<>();
    private StorageTier tier;

    StorageReader(InetSocketAddress address, StorageLimits limits, MetricGroup metrics) {
        this.address = address;
        this.limits = limits;
        this.metrics = metrics;
        this.tenants = new TenantMetrics(metrics);
    }

    @Override
    public void start() {
        try {
            tier = new StorageTier(address, limits, this::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
        metrics.gauge("connections", tier::connections);
        metrics.gauge("requestsWaiting", tier.queue()::waiting);
        metrics.gauge("longestWaitSeconds", tier.queue()::longestWait);
        metrics.gauge("requestsRunning", tier.queue()::running);
        metrics.gauge("batchPlans", tier.queue()::plans);
        metrics.gauge("memoryTaken", tier.queue()::taken);
        metrics.gauge("memoryMeasured", tier.memory()::getAsLong);
        metrics.gauge("memoryMeasuredMost", tier.memory()::most);
    }

    private synchronized void add(RequestOutcome each) {
        served.add(each);
        available.complete(null);
    }

    @Override
    public InputStatus pollNext(ReaderOutput<RequestOutcome> output) {
        RequestOutcome next;
        boolean more;
        synchronized (this) {
            next = served.poll();
            more = !served.isEmpty();
            if (!more && available.isDone()) {
                available = new CompletableFuture<>();
            }
        }
        if (next != null) {
            tenants.count(next);
            output.collect(next);
        }
        return more ? InputStatus.MORE_AVAILABLE : InputStatus.NOTHING_AVAILABLE;
    }

    @Override
    public List<StorageSource.Door> snapshotState(long checkpoint) {
        return List.of();
    }

    @Override
    public synchronized CompletableFuture<Void> isAvailable() {
        return available;
    }

    @Override
    public void addSplits(List<StorageSource.Door> splits) {
        throw new IllegalStateException("a listener has no splits");
    }

    @Override
    public void notifyNoMoreSplits() {
        // There are no splits.
    }

    @Override
    public void close() throws IOException {
        if (tier != null) {
            tier.close();
        }
    }
}
