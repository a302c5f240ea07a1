package dev.levee.featureextraction.flink;

import dev.levee.featureextraction.serve.RequestOutcome;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

import java.util.HashMap;
import java.util.Map;

/**
 * Metrics of a storage tier by tenant. Tenants beyond the first {@link #MOST_TENANTS} share one
 * group, so that names from outside cannot exhaust the memory of monitoring systems.
 */
final class TenantMetrics {
    private static final int MOST_TENANTS = 100;
    private static final String OTHERS = "others";

    private final MetricGroup all;
    private final Map<String, One> tenants = new HashMap<>();

    TenantMetrics(MetricGroup all) {
        this.all = all;
    }

    void count(RequestOutcome served) {
        String tenant =
                tenants.containsKey(served.tenant()) || tenants.size() < MOST_TENANTS
                        ? served.tenant()
                        : OTHERS;
        tenants.computeIfAbsent(tenant, name -> new One(all.addGroup("tenant", name)))
                .count(served);
    }

    private static final class One {
        private final Counter requests;
        private final Counter failures;
        private final Counter images;
        private final Counter bytes;
        private final Counter bad;
        private final Counter retries;
        private final Counter waitMillis;
        private final Counter storeMillis;
        private final Counter decodeMillis;
        private final Counter computeMillis;
        private int batch;

        One(MetricGroup group) {
            requests = group.counter("requests");
            failures = group.counter("failures");
            images = group.counter("images");
            bytes = group.counter("featureBytes");
            bad = group.counter("badImages");
            retries = group.counter("storeRetries");
            waitMillis = group.counter("waitMillis");
            storeMillis = group.counter("storeMillis");
            decodeMillis = group.counter("decodeMillis");
            computeMillis = group.counter("computeMillis");
            group.gauge("latestBatch", () -> batch);
        }

        void count(RequestOutcome served) {
            retries.inc(served.retries());
            if (served.failure() != null) {
                failures.inc();
                return;
            }
            requests.inc();
            images.inc(served.to() - served.from());
            bytes.inc(served.bytes());
            bad.inc(served.bad());
            waitMillis.inc(served.waitedNanos() / 1_000_000);
            storeMillis.inc(served.storeNanos() / 1_000_000);
            decodeMillis.inc(served.decodeNanos() / 1_000_000);
            computeMillis.inc(served.computeNanos() / 1_000_000);
            batch = served.batch();
        }
    }
}
