package dev.levee.operators.flink.coded;

import dev.levee.operators.rounds.coding.CodedMatrix;
import dev.levee.operators.rounds.coding.MdsCode;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

import java.io.IOException;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Multiplies a stream of vectors by a fixed matrix, coded so that the first k of n answers suffice
 * ({@link CodedMatrix}). Each worker loads its block once in its own process; only vectors and
 * answers are sent. With as many slots as workers, a slow worker does not delay the others until
 * its vectors fill the network buffers in front of it; then all wait.
 */
public final class CodedProducts {
    private static final TypeInformation<float[]> VECTOR =
            PrimitiveArrayTypeInfo.FLOAT_PRIMITIVE_ARRAY_TYPE_INFO;

    /** Numbers of vectors that have no product, because their length is not that of a row. */
    public static final OutputTag<Long> REFUSED = new OutputTag<>("refused", Types.LONG);

    /** Finds a worker's block of a {@link CodedMatrix}. */
    @FunctionalInterface
    public interface Blocks extends Serializable {
        /** Returns concatenated rows, each as long as the vectors. */
        float[] block(int worker) throws IOException;
    }

    private CodedProducts() {}

    /**
     * Adds the workers and the decoder of their answers to a job.
     *
     * @param vectors the vectors to multiply, each with a unique number
     * @param rows number of rows of the matrix
     * @param parallelism parallelism of the workers; with n, a worker may be behind the others by
     *     as many vectors as network buffers hold, and otherwise workers of a subtask wait for each
     *     other
     * @return each vector's number with its product, in no particular order; {@link #REFUSED} is a
     *     side output
     */
    public static SingleOutputStreamOperator<Tuple2<Long, float[]>> multiply(
            DataStream<Tuple2<Long, float[]>> vectors,
            MdsCode code,
            int rows,
            Blocks blocks,
            int parallelism) {
        int workers = code.workers();
        return vectors.<Tuple3<Integer, Long, float[]>>flatMap(
                        (vector, out) -> {
                            for (int worker = 0; worker < workers; worker++) {
                                out.collect(Tuple3.of(worker, vector.f0, vector.f1));
                            }
                        })
                .returns(Types.TUPLE(Types.INT, Types.LONG, VECTOR))
                .name("To all workers")
                .partitionCustom((worker, subtasks) -> worker % subtasks, asked -> asked.f0)
                .map(new Worker(blocks, CodedMatrix.height(code, rows)))
                .returns(Types.TUPLE(Types.INT, Types.LONG, VECTOR))
                .setParallelism(parallelism)
                .name("Coded blocks")
                .keyBy(answer -> answer.f1)
                .process(new Decoder(code, rows))
                .returns(Types.TUPLE(Types.LONG, VECTOR))
                .name("Decoder");
    }

    /**
     * Multiplies vectors by the blocks of this subtask's workers. Its answer to a vector of the
     * wrong length is empty.
     */
    private static final class Worker
            extends RichMapFunction<
                    Tuple3<Integer, Long, float[]>, Tuple3<Integer, Long, float[]>> {
        private static final long serialVersionUID = 1L;

        private final Blocks blocks;
        private final int height;
        private transient Map<Integer, float[]> loaded;

        Worker(Blocks blocks, int height) {
            this.blocks = blocks;
            this.height = height;
        }

        @Override
        public void open(OpenContext context) {
            loaded = new HashMap<>();
        }

        @Override
        public Tuple3<Integer, Long, float[]> map(Tuple3<Integer, Long, float[]> asked)
                throws IOException {
            float[] block = loaded.get(asked.f0);
            if (block == null) {
                block = blocks.block(asked.f0);
                loaded.put(asked.f0, block);
            }
            float[] answer =
                    block.length == (long) height * asked.f2.length
                            ? CodedMatrix.product(block, asked.f2)
                            : new float[0];
            return Tuple3.of(asked.f0, asked.f1, answer);
        }
    }

    /** Waits for k answers for a vector, and drops later ones. */
    private static final class Decoder
            extends KeyedProcessFunction<
                    Long, Tuple3<Integer, Long, float[]>, Tuple2<Long, float[]>> {
        private static final long serialVersionUID = 1L;

        private final MdsCode code;
        private final int rows;
        private transient MapState<Integer, float[]> answers;

        /** Number of workers that have answered. */
        private transient ValueState<Integer> count;

        Decoder(MdsCode code, int rows) {
            this.code = code;
            this.rows = rows;
        }

        @Override
        public void open(OpenContext context) {
            answers =
                    getRuntimeContext()
                            .getMapState(new MapStateDescriptor<>("answers", Types.INT, VECTOR));
            count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.INT));
        }

        @Override
        public void processElement(
                Tuple3<Integer, Long, float[]> answer,
                Context context,
                Collector<Tuple2<Long, float[]>> out)
                throws Exception {
            int before = count.value() == null ? 0 : count.value();
            int now = before + 1;
            if (now <= code.needed()) {
                answers.put(answer.f0, answer.f2);
            }
            if (now == code.needed()) {
                if (answer.f2.length > 0) {
                    out.collect(Tuple2.of(answer.f1, decoded()));
                } else {
                    context.output(REFUSED, answer.f1);
                }
                answers.clear();
            }
            if (now == code.workers()) {
                count.clear();
            } else {
                count.update(now);
            }
        }

        private float[] decoded() throws Exception {
            int[] workers = new int[code.needed()];
            float[][] parts = new float[workers.length][];
            int at = 0;
            // With ascending order, the same answers give the same bits.
            Map<Integer, float[]> ordered = new TreeMap<>();
            for (Map.Entry<Integer, float[]> each : answers.entries()) {
                ordered.put(each.getKey(), each.getValue());
            }
            for (Map.Entry<Integer, float[]> each : ordered.entrySet()) {
                workers[at] = each.getKey();
                parts[at++] = each.getValue();
            }
            return CodedMatrix.decode(code, rows, workers, parts);
        }
    }
}
