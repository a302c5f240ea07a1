package dev.levee.operators.flink.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.job.Evaluator;
import dev.levee.connectors.kafka.job.KafkaEdge;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.KeyRing;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.connectors.kafka.wire.VerifyingKey;
import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.records.VerifiedBlock;
import dev.levee.operators.flink.internal.runtime.operator.OperatorFactory;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Three workers, two blocks of two and one values, two partitions with a gate for each. */
class GateOperatorTest {
    private static final long RUN = 77;
    private static final Slices SLICES = new Slices(3, 3, 2);
    private static final KeyPair JOB = pair();
    private static final KeyPair WORKER = pair();
    private static final Training TRAINING =
            new TrainingBuilder(
                            "01234567",
                            Datasets.inline(new float[][] {{0}, {0}}, new int[] {0, 1}, 2),
                            Models.open("logistic", new int[] {1}, 2),
                            Rules.parse("average"),
                            3,
                            0)
                    .build();
    private static final KafkaEdge EDGE =
            new KafkaEdge(
                    new KafkaAddress("127.0.0.1:1", Map.of()),
                    new Topics("run"),
                    RUN,
                    1,
                    signing(JOB),
                    verifying(JOB),
                    new KeyRing(Map.of(1, verifying(WORKER))),
                    Evaluator.NONE,
                    Map.of(0, 0L, 1, 0L));

    private static KeyPair pair() {
        try {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SigningKey signing(KeyPair pair) {
        return new SigningKey(pair.getPrivate().getEncoded());
    }

    private static VerifyingKey verifying(KeyPair pair) {
        return new VerifyingKey(pair.getPublic().getEncoded());
    }

    /** A block of worker 1. */
    private static byte[] frame(long round, int block, float... values) {
        GradientBlock gradient =
                new GradientBlock(
                        Header.gradient(RUN, round, 1, new ShardId(0, block)), 0.5, 1, 2, values);
        return Frames.of(gradient, 2, signing(WORKER).towards(verifying(JOB)));
    }

    private static OneInputStreamOperatorTestHarness<byte[], GradientBlock> gate(
            int gates, int index) throws Exception {
        OneInputStreamOperatorTestHarness<byte[], GradientBlock> harness =
                new OneInputStreamOperatorTestHarness<>(
                        new OperatorFactory<byte[], Void, GradientBlock>(
                                GateOperator.class,
                                parameters -> new GateOperator(parameters, EDGE, TRAINING, SLICES)),
                        gates,
                        gates,
                        index);
        harness.setup(
                RecordKind.GRADIENT
                        .asType(GradientBlock.class)
                        .createSerializer(new SerializerConfigImpl()));
        return harness;
    }

    /** Gates of a job that has started from the state of two gates, null for none. */
    private static List<OneInputStreamOperatorTestHarness<byte[], GradientBlock>> started(
            OperatorSubtaskState state) throws Exception {
        List<OneInputStreamOperatorTestHarness<byte[], GradientBlock>> gates = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            OneInputStreamOperatorTestHarness<byte[], GradientBlock> gate = gate(2, i);
            if (state != null) {
                gate.initializeState(
                        AbstractStreamOperatorTestHarness.repartitionOperatorState(
                                state, 2, 2, 2, i));
            }
            gate.open();
            gates.add(gate);
        }
        return gates;
    }

    /** The state of two gates that end now, and hold this number of blocks. */
    private static OperatorSubtaskState ended(
            List<OneInputStreamOperatorTestHarness<byte[], GradientBlock>> gates, int blocks)
            throws Exception {
        OperatorSubtaskState state =
                AbstractStreamOperatorTestHarness.repackageState(
                        gates.get(0).snapshot(1, 0), gates.get(1).snapshot(1, 0));
        int held = 0;
        for (OneInputStreamOperatorTestHarness<byte[], GradientBlock> gate : gates) {
            for (VerifiedBlock each :
                    ((AbstractStreamOperator<?>) gate.getOperator())
                            .getOperatorStateBackend()
                            .getUnionListState(
                                    new ListStateDescriptor<>(
                                            "verified blocks",
                                            RecordKind.VERIFIED.asType(VerifiedBlock.class)))
                            .get()) {
                held += each.worker();
            }
            gate.close();
        }
        assertThat(held).isEqualTo(blocks);
        return state;
    }

    @Test
    void remembersTheNewestRoundOfEachBlockOverSeveralRestarts() throws Exception {
        var gates = started(null);
        gates.get(0).processElement(frame(1, 0, 1, 2), 0);
        gates.get(1).processElement(frame(1, 1, 3), 0);
        OperatorSubtaskState state = ended(gates, 2);
        gates = started(state);
        state = ended(gates, 2);
        gates = started(state);
        gates.get(0).processElement(frame(2, 0, 1, 2), 0);
        gates.get(0).processElement(frame(2, 1, 3), 0);
        // The second gate still has its share of what was restored.
        state = ended(gates, 3);
        gates = started(state);
        gates.get(0).processElement(frame(2, 1, 5), 0);
        assertThat(gates.get(0).getOutput()).isEmpty();
        assertThat(gates.get(0).getSideOutput(GateOperator.REPORTS))
                .extracting(StreamRecord::getValue)
                .containsExactly(
                        new ShardReport.Dropped(2, new ShardId(0, 1), 1, Rejection.CONTRADICTORY));
        ended(gates, 2);
    }

    /** After the barrier, reports would be lost with a failure: the source skips these records. */
    @Test
    void reportsRefusedRecordsBeforeTheBarrier() throws Exception {
        try (var harness = gate(1, 0)) {
            harness.open();
            harness.processElement(new byte[1], 0);
            assertThat(harness.getSideOutput(GateOperator.REPORTS)).isNull();
            harness.prepareSnapshotPreBarrier(1);
            assertThat(harness.getSideOutput(GateOperator.REPORTS))
                    .extracting(StreamRecord::getValue)
                    .containsExactly(new ShardReport.Refused(0, -1, Rejection.MALFORMED, 1));
            harness.snapshot(1, 0);
            assertThat(harness.getSideOutput(GateOperator.REPORTS)).hasSize(1);
        }
    }
}
