package dev.levee.connectors.kafka.worker;

import org.apache.kafka.common.errors.RetriableException;

import java.time.Duration;
import java.util.concurrent.Executor;

/** Sends a worker's newest answer, and resends it until a newer model arrives. Single-threaded. */
final class AnswerSender implements AutoCloseable {
    /** Receives the outcome of answers, on the sender's thread. */
    interface Output {
        /** The brokers have acknowledged the answer. */
        void delivered(Answer answer);

        /** The same answer is being sent again. */
        void resent(Answer answer);

        /** The brokers do not accept the answer for now; {@code why} is one sentence. */
        void waiting(String why);
    }

    /** One attempt to send an answer. */
    private final class Attempt {
        private int left;
        private RuntimeException failure;

        /** Set by the first block that fails, so that no further block waits for the broker. */
        private volatile boolean failed;

        /** Called on any thread. */
        private void acknowledged(RuntimeException cause) {
            if (cause != null) {
                failed = true;
            }
            mailbox.execute(() -> done(cause));
        }

        private void done(RuntimeException cause) {
            left--;
            failure = cause == null ? failure : cause;
            if (left == 0 && this == attempt) {
                ended(this);
            }
        }
    }

    private final FrameSink sink;
    private final String topic;
    private final Duration resendAfter;
    private final Executor mailbox;
    private final Output output;
    private Answer answer;
    private Attempt attempt;
    private boolean delivered;
    private boolean again;
    private long endedAt;

    /**
     * Creates a sender.
     *
     * @param sink receives the frames
     * @param topic name of the topic
     * @param resendAfter time after which an answer is resent
     * @param mailbox runs tasks on the sender's thread
     */
    AnswerSender(
            FrameSink sink, String topic, Duration resendAfter, Executor mailbox, Output output) {
        this.sink = sink;
        this.topic = topic;
        this.resendAfter = resendAfter;
        this.mailbox = mailbox;
        this.output = output;
    }

    /** Sends an answer, which replaces the previous one. */
    void send(Answer newest) {
        answer = newest;
        delivered = false;
        again = true;
        send();
    }

    /** Sends the answer no more, because there is a newer model. */
    void superseded() {
        again = false;
    }

    /**
     * Nanoseconds until {@link #resend} is due; {@link Long#MAX_VALUE} if nothing is to be resent.
     */
    long untilResend() {
        return !again || attempt != null
                ? Long.MAX_VALUE
                : Math.max(0, endedAt + resendAfter.toNanos() - System.nanoTime());
    }

    /** Sends the newest answer again. */
    void resend() {
        output.resent(answer);
        send();
    }

    private void send() {
        Attempt next = new Attempt();
        attempt = next;
        for (int block = 0; block < answer.frames().size() && !next.failed; block++) {
            next.left++;
            try {
                sink.send(block, answer.frames().get(block), next::acknowledged);
            } catch (RetriableException e) {
                next.acknowledged(e);
            }
        }
    }

    private void ended(Attempt ended) {
        attempt = null;
        endedAt = System.nanoTime();
        if (ended.failure == null) {
            if (!delivered) {
                delivered = true;
                output.delivered(answer);
            }
        } else if (ended.failure instanceof RetriableException) {
            output.waiting(
                    "no broker accepts gradients on topic %s: %s"
                            .formatted(topic, ended.failure.getMessage()));
        } else {
            throw ended.failure;
        }
    }

    @Override
    public void close() {
        sink.close();
    }
}
