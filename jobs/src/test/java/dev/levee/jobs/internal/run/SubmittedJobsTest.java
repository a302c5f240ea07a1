package dev.levee.jobs.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

class SubmittedJobsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** A job that ends when it is told to, unless it cannot be cancelled any more. */
    private static final class Job implements JobClient {
        private volatile JobStatus status = JobStatus.RUNNING;
        private final boolean obeys;

        private Job(boolean obeys) {
            this.obeys = obeys;
        }

        @Override
        public JobID getJobID() {
            return new JobID();
        }

        @Override
        public CompletableFuture<JobStatus> getJobStatus() {
            return CompletableFuture.completedFuture(status);
        }

        @Override
        public CompletableFuture<Void> cancel() {
            if (!obeys) {
                return CompletableFuture.failedFuture(new IOException("409 Conflict"));
            }
            status = JobStatus.CANCELED;
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<String> stopWithSavepoint(
                boolean drain, String directory, SavepointFormatType format) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<String> triggerSavepoint(
                String directory, SavepointFormatType format) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Map<String, Object>> getAccumulators() {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<JobExecutionResult> getJobExecutionResult() {
            throw new UnsupportedOperationException();
        }
    }

    private final SubmittedJobs jobs = new SubmittedJobs();

    @Test
    void aJobThatIsBeingSubmittedIsCancelledWhenItIsThere() throws Exception {
        Job job = new Job(true);
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        CompletableFuture<Void> submission =
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                jobs.submit(
                                        () -> {
                                            sent.countDown();
                                            answered.await();
                                            return job;
                                        });
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        });
        sent.await();
        assertThat(jobs.close()).isTrue();
        assertThatThrownBy(() -> jobs.cancel(Duration.ZERO))
                .isInstanceOf(TimeoutException.class)
                .hasMessage("the cluster did not report within 0 s whether it runs a job");
        answered.countDown();
        jobs.cancel(PATIENCE);
        assertThat(job.status).isEqualTo(JobStatus.CANCELED);
        submission.get(5, TimeUnit.MINUTES);
    }

    @Test
    void noneIsSubmittedAfterwards() throws Exception {
        Job first = new Job(true);
        jobs.submit(() -> first);
        assertThat(jobs.close()).isFalse();
        jobs.cancel(PATIENCE);
        assertThat(first.status).isEqualTo(JobStatus.CANCELED);
        assertThatThrownBy(() -> jobs.submit(() -> new Job(true)))
                .isInstanceOf(CancellationException.class);
        assertThat(jobs.all()).containsExactly(first);
    }

    @Test
    void aSubmissionThatFailsIsNotWaitedFor() throws Exception {
        assertThatThrownBy(
                        () ->
                                jobs.submit(
                                        () -> {
                                            throw new IOException("no slots");
                                        }))
                .hasMessage("no slots");
        assertThat(jobs.close()).isFalse();
        jobs.cancel(Duration.ZERO);
    }

    @Test
    void oneThatIsOverKeepsNobodyFromCancellingTheOthers() throws Exception {
        Job over = new Job(false);
        over.status = JobStatus.FINISHED;
        Job running = new Job(true);
        jobs.submit(() -> over);
        jobs.submit(() -> running);
        jobs.cancel(PATIENCE);
        assertThat(running.status).isEqualTo(JobStatus.CANCELED);
    }

    @Test
    void oneThatCannotBeCancelledIsToldAfterTheOthersAre() throws Exception {
        Job running = new Job(true);
        jobs.submit(() -> new Job(false));
        jobs.submit(() -> running);
        assertThatThrownBy(() -> jobs.cancel(PATIENCE))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("409 Conflict");
        assertThat(running.status).isEqualTo(JobStatus.CANCELED);
    }
}
