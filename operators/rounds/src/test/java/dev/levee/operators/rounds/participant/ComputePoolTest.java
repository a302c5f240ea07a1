package dev.levee.operators.rounds.participant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Rules;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.learners.WrappedLearner;
import dev.levee.learners.WrappedModel;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.training.Work;

import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;

class ComputePoolTest {
    private static final String DATA = "strokes:?train=600&test=200&seed=1";

    private final AtomicInteger open = new AtomicInteger();

    /** Logistic regression that counts its open learners. */
    private record Counted(Model model, AtomicInteger open) implements WrappedModel {
        @Override
        public Learner newLearner() {
            open.incrementAndGet();
            return new WrappedLearner(model.newLearner()) {
                @Override
                public void close() {
                    open.decrementAndGet();
                    super.close();
                }
            };
        }
    }

    private ComputePool.Member join(String owner) {
        Dataset data = Datasets.open(DATA, Datasets.Split.TRAIN);
        Model model = new Counted(Models.open("logistic", data.shape(), data.classes()), open);
        Training training =
                new TrainingBuilder("testrun1", DATA, model, Rules.parse("average"), 2, 0).build();
        return ComputePool.join(owner, training, "a test", 1);
    }

    @Test
    void oneMemberUsesTheThreadsOfAll() throws Exception {
        try (ComputePool.Member busy = join("a");
                ComputePool.Member idle = join("a")) {
            CyclicBarrier both = new CyclicBarrier(2);
            CountDownLatch met = new CountDownLatch(2);
            for (int i = 0; i < 2; i++) {
                busy.execute(
                        () -> {
                            try {
                                both.await();
                                met.countDown();
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        });
            }
            met.await();
            assertThat(idle.batches()).isSameAs(busy.batches());
        }
    }

    @Test
    void ownersShareNothing() {
        try (ComputePool.Member one = join("a");
                ComputePool.Member other = join("b")) {
            assertThat(one.learners()).isNotSameAs(other.learners());
        }
    }

    @Test
    void theLastMemberClosesLearners() {
        ComputePool.Member first = join("a");
        ComputePool.Member last = join("a");
        Work.Task task = new Work.Task(0, 0, 0, null, new float[0], 0, Map.of(), 0);
        first.learners().giveBack(first.learners().take(task));
        first.close();
        assertThat(open).hasValue(1);
        last.close();
        assertThat(open).hasValue(0);
    }

    @Test
    void leavingInterruptsOwnComputationsOnly() throws Exception {
        ComputePool.Member leaves = join("a");
        try (ComputePool.Member stays = join("a")) {
            CountDownLatch begun = new CountDownLatch(2);
            CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
            CompletableFuture<Boolean> finished = new CompletableFuture<>();
            CountDownLatch go = new CountDownLatch(1);
            leaves.execute(
                    () -> {
                        begun.countDown();
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException e) {
                            interrupted.complete(true);
                        }
                    });
            stays.execute(
                    () -> {
                        begun.countDown();
                        try {
                            go.await();
                            finished.complete(true);
                        } catch (InterruptedException e) {
                            finished.complete(false);
                        }
                    });
            begun.await();
            AtomicInteger late = new AtomicInteger();
            leaves.execute(late::incrementAndGet);
            leaves.close();
            assertThat(interrupted.get()).isTrue();
            go.countDown();
            assertThat(finished.get()).isTrue();
            CountDownLatch after = new CountDownLatch(1);
            stays.execute(after::countDown);
            after.await();
            assertThat(late).hasValue(0);
        }
    }
}
