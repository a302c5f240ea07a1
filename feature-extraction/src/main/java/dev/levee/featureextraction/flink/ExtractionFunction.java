package dev.levee.featureextraction.flink;

import dev.levee.featureextraction.batch.BatchPlanner;
import dev.levee.featureextraction.batch.MemoryGate;
import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.Extractor;
import dev.levee.featureextraction.extract.FeatureBatch;
import dev.levee.featureextraction.extract.FeatureRequest;
import dev.levee.featureextraction.link.FeatureFrame;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.execution.SuppressRestartsException;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Answers requests, as frames. Errors of the store are tried again some times, then by the job's
 * restarts, and then they fail it with a sentence that names the object. What no second attempt can
 * change, an object that is not there or too little memory, fails it at once.
 */
final class ExtractionFunction extends RichMapFunction<FeatureRequest, byte[]> {
    private static final long serialVersionUID = 1;

    private static final int ATTEMPTS = 4;
    private static final long FIRST_PAUSE_MILLIS = 200;

    /** Memory is shared by all subtasks of a process, whosever they are. */
    private static final Map<Long, MemoryGate> GATES = new ConcurrentHashMap<>();

    private final Extraction extraction;
    private final long memory;
    private transient Extractor extractor;
    private transient Counter images;
    private transient Counter bytes;
    private transient Counter bad;
    private transient Counter retries;
    private transient Counter storeMillis;
    private transient Counter decodeMillis;
    private transient Counter computeMillis;

    /**
     * @param memory bytes for requests in a process
     */
    ExtractionFunction(Extraction extraction, long memory) {
        this.extraction = extraction;
        this.memory = memory;
    }

    @Override
    public void open(OpenContext context) {
        MemoryGate gate =
                GATES.computeIfAbsent(memory, all -> new MemoryGate(BatchPlanner.DEFAULT, all));
        extractor = new Extractor(extraction, gate);
        MetricGroup metrics =
                getRuntimeContext().getMetricGroup().addGroup("tenant", extraction.tenant());
        images = metrics.counter("images");
        bytes = metrics.counter("featureBytes");
        bad = metrics.counter("badImages");
        retries = metrics.counter("storeRetries");
        storeMillis = metrics.counter("storeMillis");
        decodeMillis = metrics.counter("decodeMillis");
        computeMillis = metrics.counter("computeMillis");
        metrics.gauge("memoryTaken", gate::taken);
    }

    @Override
    public byte[] map(FeatureRequest request) throws InterruptedException {
        FeatureBatch batch = answer(request);
        images.inc(batch.labels().length);
        bad.inc(batch.bad().size());
        storeMillis.inc(batch.storeNanos() / 1_000_000);
        decodeMillis.inc(batch.decodeNanos() / 1_000_000);
        computeMillis.inc(batch.computeNanos() / 1_000_000);
        byte[] frame = FeatureFrame.encode(batch);
        bytes.inc(frame.length);
        return frame;
    }

    private FeatureBatch answer(FeatureRequest request) throws InterruptedException {
        long pause = FIRST_PAUSE_MILLIS;
        for (int attempt = 1; ; attempt++) {
            try {
                return extractor.answer(request);
            } catch (IllegalStateException e) {
                throw new SuppressRestartsException(e);
            } catch (IOException e) {
                if (e.getCause() instanceof FileNotFoundException) {
                    throw new SuppressRestartsException(
                            new IllegalStateException(e.getMessage(), e));
                }
                if (attempt == ATTEMPTS) {
                    throw new IllegalStateException(e.getMessage(), e);
                }
                retries.inc();
                Thread.sleep(pause);
                pause *= 2;
            }
        }
    }

    @Override
    public void close() {
        if (extractor != null) {
            extractor.close();
        }
    }
}
