package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.gar.Attacks;
import dev.levee.operators.flink.coded.CodedProducts;
import dev.levee.operators.rounds.coding.CodedMatrix;
import dev.levee.operators.rounds.coding.Coding;
import dev.levee.operators.rounds.coding.GradientCode;
import dev.levee.operators.rounds.coding.MdsCode;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** Coded runs end with the same bits whoever is silent, lies or fails. */
@Tag("cluster")
class CodedTrainingTest {
    private static final int WORKERS = 6;
    private static final int FAILURES = 2;

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(2)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    private static Training training(String name, int f, String attack, int attackers) {
        Coding coding = Coding.parse("fractional(2)");
        GradientCode code = coding.code(WORKERS, 1);
        return new TrainingBuilder(Trainings.logistic(WORKERS, f, "average", 12))
                .runId(name)
                .model(new Unsteady(new Quadratic(2000, 100), name))
                .rule(Coding.rule(code, f))
                .work(Coding.work(code))
                .quorum(coding.quorum(WORKERS, f))
                .attack(attack == null ? null : Attacks.parse(attack), attackers)
                .batchSize(1)
                .evalInterval(6)
                .build();
    }

    private static float[] quiet() throws Exception {
        return Restarts.run(training("codedQuiet", 0, null, 0), 2).parameters();
    }

    @ParameterizedTest
    @CsvSource({"0, silent, 2", "1, min-max, 1"})
    void failuresChangeNoBit(int f, String attack, int attackers) throws Exception {
        String name = "coded" + attackers;
        RunResult disturbed =
                Restarts.disturbed(name, FAILURES, training(name, f, attack, attackers), 2);
        assertThat(disturbed.parameters()).isEqualTo(quiet());
    }

    @Test
    void copiesOfAShareTakeTheSameBatches() throws Exception {
        List<float[]> ends = new ArrayList<>();
        for (int silent : new int[] {0, 2}) {
            Training logistic =
                    new TrainingBuilder(
                                    training("codedData", 0, silent == 0 ? null : "silent", silent))
                            .model(Trainings.logistic(WORKERS, 0, "average", 1).model())
                            .rounds(6)
                            .batchSize(8)
                            .build();
            ends.add(Restarts.run(logistic, 2).parameters());
        }
        assertThat(ends.get(1)).isEqualTo(ends.get(0));
    }

    /** Keeps worker 1 from answering. */
    private static final CountDownLatch HELD = new CountDownLatch(1);

    /** Three rows, of which each of two workers has one more than the other needs. */
    @Test
    void aCodedProductDoesNotWaitForWhoIsSlow() throws Exception {
        MdsCode code = MdsCode.of(2, 1, 1);
        CodedMatrix matrix = CodedMatrix.of(code, new float[][] {{1, 2}, {3, 4}, {5, 6}});
        float[][] blocks = matrix.blocks();
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment().setParallelism(2);
        DataStream<Tuple2<Long, float[]>> vectors =
                environment
                        .fromData(
                                Tuple2.of(0L, new float[] {1, 0}),
                                Tuple2.of(1L, new float[] {0, 1}))
                        .setParallelism(1);
        DataStream<Tuple2<Long, float[]>> products =
                CodedProducts.multiply(
                        vectors,
                        code,
                        3,
                        worker -> {
                            if (worker == 1) {
                                try {
                                    HELD.await();
                                } catch (InterruptedException e) {
                                    throw new InterruptedIOException();
                                }
                            }
                            return blocks[worker];
                        },
                        2);
        Map<Long, float[]> found = new HashMap<>();
        try (CloseableIterator<Tuple2<Long, float[]>> results = products.executeAndCollect()) {
            for (int i = 0; i < 2; i++) {
                Tuple2<Long, float[]> next = results.next();
                found.put(next.f0, next.f1);
            }
            HELD.countDown();
            assertThat(results.hasNext()).isFalse();
        }
        assertThat(found.get(0L)).containsExactly(1, 3, 5);
        assertThat(found.get(1L)).containsExactly(2, 4, 6);
    }

    @Test
    void productsOfAllVectorsAreDecoded() throws Exception {
        MdsCode code = MdsCode.of(5, 3, 1);
        float[][] rows = new float[7][];
        Arrays.setAll(rows, i -> new float[] {i, 1});
        float[][] blocks = CodedMatrix.of(code, rows).blocks();
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment().setParallelism(2);
        TypeInformation<Tuple2<Long, float[]>> numbered =
                Types.TUPLE(Types.LONG, PrimitiveArrayTypeInfo.FLOAT_PRIMITIVE_ARRAY_TYPE_INFO);
        // The last vector is too short.
        DataStream<Tuple2<Long, float[]>> vectors =
                environment
                        .fromSequence(0, 20)
                        .map(i -> Tuple2.of(i, i < 20 ? new float[] {i, 0.5f} : new float[] {i}))
                        .returns(numbered);
        SingleOutputStreamOperator<Tuple2<Long, float[]>> decoded =
                CodedProducts.multiply(vectors, code, 7, worker -> blocks[worker], 2);
        List<Tuple2<Long, float[]>> products =
                decoded.union(
                                decoded.getSideOutput(CodedProducts.REFUSED)
                                        .map(i -> Tuple2.of(i, new float[0]))
                                        .returns(numbered))
                        .executeAndCollect(100);
        assertThat(products).hasSize(21);
        for (Tuple2<Long, float[]> each : products) {
            float x = each.f0;
            if (x == 20) {
                assertThat(each.f1).isEmpty();
                continue;
            }
            assertThat(each.f1)
                    .containsExactly(
                            new float[] {
                                0.5f,
                                x + 0.5f,
                                2 * x + 0.5f,
                                3 * x + 0.5f,
                                4 * x + 0.5f,
                                5 * x + 0.5f,
                                6 * x + 0.5f
                            },
                            within(1e-3f));
        }
    }
}
