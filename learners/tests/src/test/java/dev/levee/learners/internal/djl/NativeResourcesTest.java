package dev.levee.learners.internal.djl;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.learners.internal.djl.natives.Natives;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

@Tag("native")
class NativeResourcesTest {
    private static final Batch BATCH = new Batch(new float[2000 * 784], new int[2000]);

    @Test
    void stepsLeaveNothingBehind() throws IOException {
        Model model = Models.open("mnist-cnn", new int[] {1, 28, 28}, 10);
        float[] parameters = model.initialParameters(0);
        model.newLearner().close();
        int before = arrays();
        try (Learner learner = model.newLearner()) {
            steps(learner, parameters, 20);
            int arrays = arrays();
            long memory = residentBytes();
            steps(learner, parameters, 120);
            assertThat(arrays()).isEqualTo(arrays);
            // Each step's tensors take more than 3 MB, its garbage on the heap half a megabyte.
            assertThat(residentBytes() - memory).isLessThan(300L << 20);
        }
        assertThat(arrays()).isEqualTo(before);
    }

    @Test
    void everyThreadComputesAloneAndKeepsItsGradMode()
            throws InterruptedException, ExecutionException {
        Model model = Models.open("mnist-cnn", new int[] {1, 28, 28}, 10);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (Learner learner = model.newLearner()) {
            for (boolean mode : new boolean[] {true, false}) {
                thread.submit(
                                () -> {
                                    JniUtils.setGradMode(mode);
                                    steps(learner, model.initialParameters(0), 1);
                                    assertThat(JniUtils.getNumThreads()).isEqualTo(1);
                                    assertThat(JniUtils.isGradMode()).isEqualTo(mode);
                                })
                        .get();
            }
        } finally {
            thread.shutdownNow();
        }
    }

    private static void steps(Learner learner, float[] parameters, int count) {
        for (int i = 0; i < count; i++) {
            learner.gradient(parameters, BATCH, i);
        }
    }

    /** Arrays alive under the engine's root manager. */
    private static int arrays() {
        try (PtNDManager manager = Natives.newManager()) {
            return manager.getParentManager().getManagedArrays().size();
        }
    }

    private static long residentBytes() throws IOException {
        String[] pages = Files.readString(Path.of("/proc/self/statm")).split(" ", 3);
        return Long.parseLong(pages[1]) * 4096;
    }
}
