package dev.levee.operators.flink.internal.runtime.operator;

import dev.levee.operators.flink.internal.codec.RecordType;

import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;

/**
 * Stores one value for each key of this subtask. The running objects have the current values and
 * write them here only for a checkpoint, so the hot path does not use the state backend. Large
 * values are cleared once the checkpoint has them, because the backend would keep their arrays in
 * memory.
 */
public final class KeyedStates<T> {
    private final AbstractStreamOperator<?> operator;
    private final ValueState<T> state;

    /** The values of an operator whose state is being initialized. */
    public KeyedStates(AbstractStreamOperator<?> operator, String name, RecordType<T> type) {
        this.operator = operator;
        this.state = operator.getKeyedStateStore().getState(new ValueStateDescriptor<>(name, type));
    }

    /** True if this key belongs to this subtask. */
    public boolean owns(int key) {
        return owns(operator.getRuntimeContext().getTaskInfo(), key);
    }

    /** True if a key belongs to this subtask of its operator. */
    public static boolean owns(TaskInfo task, int key) {
        return KeyGroupRangeAssignment.assignKeyToParallelOperator(
                        key,
                        task.getMaxNumberOfParallelSubtasks(),
                        task.getNumberOfParallelSubtasks())
                == task.getIndexOfThisSubtask();
    }

    /** The value of a key, null if it has none. */
    public T get(int key) throws Exception {
        operator.setCurrentKey(key);
        return state.value();
    }

    /** Removes the value of a key; checkpoints that have it keep it. */
    public void clear(int key) throws Exception {
        operator.setCurrentKey(key);
        state.clear();
    }

    /** Replaces the value of a key. */
    public void put(int key, T value) throws Exception {
        operator.setCurrentKey(key);
        state.update(value);
    }
}
