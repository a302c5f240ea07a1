package dev.levee.jobs.internal.run.cluster;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.HTTPServer;

import org.apache.flink.metrics.prometheus.AbstractPrometheusReporter;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.util.Properties;

/**
 * Serves metrics to Prometheus like Flink's own reporter, but on one address. Flink's reporter
 * always listens on all interfaces.
 */
public final class PrometheusServer implements MetricReporterFactory {
    @Override
    public MetricReporter createMetricReporter(Properties properties) {
        return new Reporter(
                properties.getProperty("address"),
                Integer.parseInt(properties.getProperty("port")));
    }

    private static final class Reporter extends AbstractPrometheusReporter {
        private final HTTPServer server;

        private Reporter(String address, int port) {
            try {
                server = new HTTPServer(new InetSocketAddress(address, port), registry(), true);
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "cannot serve metrics at " + address + ":" + port + ": " + e.getMessage(),
                        e);
            }
        }

        /** The registry of Flink's metrics, which is visible only to Flink's own reporters. */
        private CollectorRegistry registry() {
            try {
                Field field = AbstractPrometheusReporter.class.getDeclaredField("registry");
                field.setAccessible(true);
                return (CollectorRegistry) field.get(this);
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("Flink's reporter for Prometheus has changed", e);
            }
        }

        @Override
        public void close() {
            server.stop();
            super.close();
        }
    }
}
