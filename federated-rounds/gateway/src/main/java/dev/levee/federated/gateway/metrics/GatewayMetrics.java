package dev.levee.federated.gateway.metrics;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** The gateway's counters and gauges, in Prometheus' text format. Safe for concurrent use. */
public final class GatewayMetrics {
    private final Map<Refusal, LongAdder> refused = new EnumMap<>(Refusal.class);
    private final Map<String, LongSupplier> gauges = new LinkedHashMap<>();

    /** Requests answered with a status below 400. */
    public final LongAdder requests = new LongAdder();

    /** Frames that Kafka has stored. */
    public final LongAdder acknowledged = new LongAdder();

    /** Devices that have enrolled. */
    public final LongAdder enrolled = new LongAdder();

    /** Bytes of request bodies from clients. */
    public final LongAdder received = new LongAdder();

    /** Bytes of models sent to clients. */
    public final LongAdder sent = new LongAdder();

    /** Creates counters at zero. */
    public GatewayMetrics() {
        for (Refusal refusal : Refusal.values()) {
            refused.put(refusal, new LongAdder());
        }
    }

    /** Counts a refusal. */
    public void refuse(Refusal refusal) {
        refused.get(refusal).increment();
    }

    /** The number of refusals of this kind. */
    public long refused(Refusal refusal) {
        return refused.get(refusal).sum();
    }

    /** Adds a gauge. Call this before the first {@link #text}. */
    public void gauge(String name, LongSupplier value) {
        gauges.put(name, value);
    }

    /** All metrics as text. */
    public String text() {
        StringBuilder text = new StringBuilder();
        counter(text, "requests", requests);
        counter(text, "frames_acknowledged", acknowledged);
        counter(text, "devices_enrolled", enrolled);
        counter(text, "bytes_received", received);
        counter(text, "model_bytes_sent", sent);
        text.append("# TYPE levee_gateway_refused_total counter\n");
        refused.forEach(
                (refusal, count) ->
                        text.append("levee_gateway_refused_total{reason=\"")
                                .append(refusal.name().toLowerCase(Locale.ROOT))
                                .append("\"} ")
                                .append(count.sum())
                                .append('\n'));
        gauges.forEach(
                (name, value) ->
                        text.append("# TYPE levee_gateway_")
                                .append(name)
                                .append(" gauge\nlevee_gateway_")
                                .append(name)
                                .append(' ')
                                .append(value.getAsLong())
                                .append('\n'));
        return text.toString();
    }

    private static void counter(StringBuilder text, String name, LongAdder value) {
        String full = "levee_gateway_" + name + "_total";
        text.append("# TYPE ").append(full).append(" counter\n");
        text.append(full).append(' ').append(value.sum()).append('\n');
    }
}
