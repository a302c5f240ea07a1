package dev.levee.operators.flink.internal.codec;

import dev.levee.operators.flink.internal.loop.LocalExchange;

import org.apache.flink.util.function.SerializableFunction;

import java.io.Serializable;

/** The operator at the receiving end of an edge, whose subtasks may be in this process. */
public sealed interface Destination<T> extends Serializable {
    /** The run that both ends belong to. */
    long run();

    /**
     * Number of subtasks in this process that read this record; 0 if another process may also read
     * it.
     */
    int readers(LocalExchange exchange, T record);

    /**
     * Each record goes to one subtask.
     *
     * @param index the record's index, by which its subtask has registered
     */
    record Keyed<T>(long run, String operator, SerializableFunction<T, Integer> index)
            implements Destination<T> {
        @Override
        public int readers(LocalExchange exchange, T record) {
            return exchange.reads(operator, index.apply(record)) ? 1 : 0;
        }
    }

    /** Each record goes to a subtask in the sender's own process. */
    record Beside<T>(long run) implements Destination<T> {
        @Override
        public int readers(LocalExchange exchange, T record) {
            return 1;
        }
    }

    /** Each record goes to all subtasks. */
    record Broadcast<T>(long run, String operator) implements Destination<T> {
        @Override
        public int readers(LocalExchange exchange, T record) {
            return exchange.broadcastReaders(operator);
        }
    }
}
