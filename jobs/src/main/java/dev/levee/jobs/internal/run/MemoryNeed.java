package dev.levee.jobs.internal.run;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.jobs.internal.run.place.WorkersOutside;
import dev.levee.k8s.flink.rest.FlinkRest;
import dev.levee.operators.rounds.pipeline.PipelinedModel;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.OwnLoopWork;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;

/**
 * The minimum heap in bytes that the runs of an invocation need at the same time. It leaves out
 * other needs, such as copies in a checkpoint, records in flight, and the data set. So a run that
 * is refused could not have ended, but a run that is not refused may still run out of memory.
 *
 * @param rows bytes of the gradients of the open round
 * @param momentum bytes that workers keep between rounds
 * @param models bytes of the servers', the workers' and the evaluation's copies of the model
 * @param batches bytes of the samples that gradients are computed on at the same time
 */
record MemoryNeed(long rows, long momentum, long models, long batches) {
    private static final int COPIES = 3;

    /** Copies of a pipeline's model: its evaluation reads the model from a file. */
    private static final int COPIES_OF_PIPELINES = 2;

    static MemoryNeed of(RunPlan plan, List<Integer> pending) {
        MemoryNeed all = new MemoryNeed(0, 0, 0, 0);
        for (int index : pending) {
            MemoryNeed one = of(plan, plan.trainings().get(index));
            all =
                    new MemoryNeed(
                            all.rows + one.rows,
                            all.momentum + one.momentum,
                            all.models + one.models,
                            all.batches + one.batches);
        }
        return all;
    }

    private static MemoryNeed of(RunPlan plan, Training training) {
        long model = (long) training.model().layout().size() * Float.BYTES;
        int asked = training.plan().perRound(training);
        boolean summed = training.admission().sums(training.rule(), asked);
        if (plan.workers() instanceof WorkersOutside) {
            return new MemoryNeed(summed ? 0 : asked * model, 0, COPIES * model, 0);
        }
        Work work = training.work() instanceof OwnLoopWork own ? own.smoothing() : training.work();
        boolean smoothed = work instanceof GradientWork gradients && gradients.momentum() > 0;
        // A model with its own training loop receives all batches of a round at once.
        long batches = training.model().ownLoop() ? training.work().steps() : 1;
        int honest = training.workers() - training.attackers().count();
        return new MemoryNeed(
                summed ? 0 : asked * model,
                smoothed ? honest * model : 0,
                (training.model() instanceof PipelinedModel ? COPIES_OF_PIPELINES : COPIES) * model,
                atOnce(training) * batches * training.data().batchSize() * sample(training));
    }

    /**
     * Number of workers that hold their batches at the same time: all workers that are pipelines,
     * otherwise one for each thread.
     */
    private static long atOnce(Training training) {
        return training.model() instanceof PipelinedModel
                ? training.workers()
                : training.computeThreads();
    }

    private static long sample(Training training) {
        Dataset data = Datasets.open(training.data().uri(), Datasets.Split.TRAIN);
        long values = data.targets();
        long features = 1;
        for (int extent : data.shape()) {
            features *= extent;
        }
        return (values + features) * Float.BYTES;
    }

    long bytes() {
        return rows + momentum + models + batches;
    }

    /** Heap of the processes that will compute the runs of a plan; 0 if unknown. */
    static long available(RunPlan plan) {
        if (plan.deployment().embedded()) {
            return Runtime.getRuntime().maxMemory();
        }
        long heap = 0;
        try {
            FlinkRest rest = new FlinkRest(URI.create(plan.deployment().target()));
            for (JsonNode each : rest.get("/taskmanagers").path("taskmanagers")) {
                heap += each.path("hardware").path("freeMemory").asLong();
            }
        } catch (IOException e) {
            return 0; // the submission will report this
        }
        return heap;
    }

    /**
     * Checks that this much heap is available.
     *
     * @param available available heap in bytes, 0 if unknown
     * @throws IllegalArgumentException if less is available; one sentence
     */
    void check(RunPlan plan, long available) {
        if (available > 0 && bytes() > available) {
            throw new IllegalArgumentException(sentence(plan, available));
        }
    }

    /** A sentence with the needed and the available memory, and advice. */
    String sentence(RunPlan plan, long available) {
        boolean embedded = plan.deployment().embedded();
        return "beside its data, the training needs at least %s of heap (gradients of a round %s, momentum of workers %s, copies of the model %s, batches %s), and %s: %s, or %s"
                .formatted(
                        size(bytes()),
                        size(rows),
                        size(momentum),
                        size(models),
                        size(batches),
                        (embedded ? "this process has " : "the TaskManagers have ")
                                + (available > 0 ? size(available) : "less"),
                        embedded
                                ? "set LEVEE_JAVA_OPTS=-Xmx%dm"
                                        .formatted((2 * Math.max(bytes(), available) >> 20) + 1)
                                : "increase it with levee cluster start --heap or --taskmanagers",
                        plan.trainings().size() > 1
                                ? "train one rule at a time"
                                : momentum > 0
                                        ? "use --momentum-side server"
                                        : "use fewer workers");
    }

    static String size(long bytes) {
        return bytes < 10 << 20
                ? String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20))
                : (bytes >> 20) + " MiB";
    }

    /** A sentence for a run that ran out of memory although it seemed to fit. */
    String exhausted(RunPlan plan, long available) {
        return "Memory ran out: " + sentence(plan, available);
    }

    /** True if a failure was caused by lack of memory. */
    static boolean ranOut(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof OutOfMemoryError
                    || String.valueOf(each.getMessage())
                            .contains(OutOfMemoryError.class.getName())) {
                return true;
            }
        }
        return false;
    }
}
