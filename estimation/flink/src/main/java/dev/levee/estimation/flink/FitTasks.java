package dev.levee.estimation.flink;

import dev.levee.estimation.fitting.CrossFitting;
import dev.levee.operators.tasks.TaskPlan;
import dev.levee.operators.tasks.TaskRunner;

import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * The tasks of an estimate. Tasks are ordered by repetition, so few repetitions are open at a time.
 *
 * @param plan the plan of the estimate
 */
record FitTasks(EstimationPlan plan) implements TaskPlan<FitResult> {
    @Override
    public int tasks() {
        return plan.tasks();
    }

    @Override
    public TaskRunner<FitResult> open() {
        try {
            return new Runner(plan, plan.fitting());
        } catch (IllegalStateException e) {
            throw new SuppressRestartsException(e); // the table has changed
        }
    }

    private record Runner(EstimationPlan plan, CrossFitting fitting)
            implements TaskRunner<FitResult> {
        @Override
        public FitResult run(int task) {
            long began = System.nanoTime();
            double[] predictions = fitting.run(task);
            return new FitResult(
                    task,
                    task / plan.tasksPerRepetition(),
                    predictions,
                    (System.nanoTime() - began) / 1e9);
        }

        @Override
        public void close() {
            fitting.close();
        }
    }
}
