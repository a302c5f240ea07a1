package dev.levee.operators.flink.internal.kafka;

import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.job.KafkaEdge;
import dev.levee.connectors.kafka.job.VersionPart;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.kafka.clients.producer.Producer;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Publishes models on their topic. Its only subtask is the only writer: each start fences the
 * previous one before it reads the topic. The topic is its state; a checkpoint only has the run.
 */
public final class PublisherOperator extends AbstractStreamOperator<Void>
        implements OneInputStreamOperator<VersionPart, Void> {
    private static final long serialVersionUID = 1L;

    /** Longer than shards look for the newest version before they fail. */
    private static final Duration CATCH_UP = Duration.ofMinutes(3);

    private final KafkaEdge edge;
    private final Training training;
    private final Slices slices;

    /** The run of the restored checkpoint; earlier checkpoints have none. */
    private transient ListState<Long> run;

    private transient Producer<byte[], byte[]> producer;
    private transient VersionPublisher publisher;

    /** Null without secure sums that devices may leave. */
    private transient SumNotices notices;

    private transient Counter versions;
    private transient long publishNanos;

    /** Creates the publisher of a run. */
    public PublisherOperator(
            StreamOperatorParameters<Void> parameters,
            KafkaEdge edge,
            Training training,
            Slices slices) {
        super(parameters);
        this.edge = edge;
        this.training = training;
        this.slices = slices;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        run =
                context.getOperatorStateStore()
                        .getListState(new ListStateDescriptor<>("run", Types.LONG));
    }

    @Override
    public void open() throws Exception {
        super.open();
        producer = KafkaClients.transactional(edge.kafka(), "levee." + edge.topics().name());
        producer.initTransactions();
        Optional<PublishedVersion> adopted;
        try {
            BitSet all = new BitSet();
            all.set(0, training.topology().servers() * slices.count());
            adopted = PublishedVersion.newest(edge, slices, all, new BitSet());
        } catch (RunFailedException e) {
            throw new SuppressRestartsException(e);
        }
        for (long restored : run.get()) {
            // If a topic has no versions any more, the run begins again from the checkpoint, and
            // may do so again after it has published versions of its own.
            if (restored != edge.run()
                    && adopted.isPresent()
                    && adopted.get().submitted() != edge.submitted()) {
                throw new SuppressRestartsException(
                        new RunFailedException(
                                "the checkpoint is of another run than the newest on topic "
                                        + edge.topics().models()
                                        + "; start without it to continue the newest run"));
            }
        }
        if (adopted.isPresent() && adopted.get().submitted() > edge.submitted()) {
            throw new SuppressRestartsException(
                    new RunFailedException(
                            "a later job has taken over run "
                                    + edge.topics().name()
                                    + "; this job stops"));
        }
        publisher = new VersionPublisher(edge, training, slices, producer, adopted);
        adopted.ifPresent(publisher::claim);
        getMetricGroup().gauge("version", (Gauge<Long>) () -> publisher.newest());
        getMetricGroup().gauge("publishMilliseconds", (Gauge<Long>) () -> publishNanos / 1_000_000);
        versions = getMetricGroup().counter("versions");
        scheduleCheck();
    }

    private void scheduleCheck() {
        long next = getProcessingTimeService().getCurrentProcessingTime() + CATCH_UP.toMillis();
        getProcessingTimeService()
                .registerTimer(
                        next,
                        time -> {
                            checkCaughtUp();
                            if (publisher.missing() > 0) {
                                scheduleCheck();
                            }
                        });
    }

    private void checkCaughtUp() {
        if (publisher.stuck()) {
            throw new IllegalStateException(
                    "%d shards or coordinators have not continued from version %d for %d s; starting again from it"
                            .formatted(
                                    publisher.missing(), publisher.newest(), CATCH_UP.toSeconds()));
        }
    }

    @Override
    public void processElement(StreamRecord<VersionPart> part) {
        if (part.getValue() instanceof VersionPart.Told told) {
            if (notices == null) {
                notices = new SumNotices(edge);
            }
            notices.tell(told.notice());
            return;
        }
        long start = System.nanoTime();
        if (publisher.add(part.getValue())) {
            versions.inc();
        }
        publishNanos += System.nanoTime() - start;
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        run.update(List.of(edge.run()));
        if (notices != null) {
            notices.flush();
        }
    }

    @Override
    public void close() throws Exception {
        if (notices != null) {
            notices.close();
        }
        if (producer != null) {
            // An open transaction is never completed; the next start aborts it.
            producer.close(Duration.ZERO);
        }
        super.close();
    }
}
