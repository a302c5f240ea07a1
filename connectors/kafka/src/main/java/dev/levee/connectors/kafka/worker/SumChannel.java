package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.securesum.SumTask;

import org.apache.kafka.common.errors.RetriableException;

import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * A device's side of secure sums that devices may leave. It signs the device's messages, and
 * accepts messages that the job has signed. It opens its connection with the first sum. It runs on
 * the device's thread; only the connection's callbacks come from other threads.
 */
final class SumChannel implements AutoCloseable {
    private final ExternalWorker.Options options;
    private final Connection connection;
    private final SigningKey signing;
    private final Executor mailbox;
    private final Consumer<SumNotice> heard;
    private final WorkerListener listener;
    private SumConnection open;
    private SumSecret secret;
    private long run;
    private long round = -1;

    /**
     * Creates a channel that is not open.
     *
     * @param signing the device's key, directed at the job
     * @param mailbox runs tasks on the device's thread
     * @param heard receives the job's messages to this device
     */
    SumChannel(
            ExternalWorker.Options options,
            Connection connection,
            SigningKey signing,
            Executor mailbox,
            Consumer<SumNotice> heard,
            WorkerListener listener) {
        this.options = options;
        this.connection = connection;
        this.signing = signing;
        this.mailbox = mailbox;
        this.heard = heard;
        this.listener = listener;
    }

    /** Receives messages of the round that a model opens. */
    void follow(ReadModel model) {
        if (open == null) {
            secret = SumSecret.of(options.state());
            open = connection.sums(options.id(), new Told());
        }
        run = model.run();
        round = model.version();
        open.follow(run, round, model.publishedAt());
    }

    /** The seed of all random numbers of the device in a sum, 32 bytes. */
    byte[] secret(SumTask task) {
        return secret.of(task, options.id());
    }

    /** Sends a message of the device in a sum, and retries as long as its round is open. */
    void say(long of, SumMessage.FromDevice message) {
        byte[] bytes = Frames.of(run, of, message, signing);
        send(of, Frame.read(bytes).orElseThrow(), bytes);
    }

    private void send(long of, Frame frame, byte[] bytes) {
        try {
            open.say(
                    frame,
                    bytes,
                    failure -> {
                        if (failure != null) {
                            mailbox.execute(() -> unsent(of, frame, bytes, failure));
                        }
                    });
        } catch (RetriableException e) {
            mailbox.execute(() -> unsent(of, frame, bytes, e));
        }
    }

    private void unsent(long of, Frame frame, byte[] bytes, RuntimeException failure) {
        if (!(failure instanceof RetriableException)) {
            throw failure;
        }
        listener.waiting(
                "no broker accepts messages of a secure sum now: %s"
                        .formatted(failure.getMessage()));
        if (of == round && open != null) {
            send(of, frame, bytes);
        }
    }

    private void take(byte[] record) {
        Frame frame = Frame.read(record, FrameKind.SUM).orElse(null);
        if (frame == null
                || frame.run() != run
                || frame.round() != round
                || frame.receiver() >= 0 && frame.receiver() != options.id()
                || !frame.authentic(options.servers().ring().job())) {
            return;
        }
        frame.sum()
                .filter(message -> !(message instanceof SumMessage.FromDevice))
                .ifPresent(message -> heard.accept(new SumNotice(0, frame.round(), message)));
    }

    @Override
    public void close() {
        if (open != null) {
            open.close();
            open = null;
        }
    }

    /** Receives the job's messages. */
    private final class Told implements SumConnection.Output {
        @Override
        public void told(byte[] record) {
            mailbox.execute(() -> take(record));
        }

        @Override
        public void waiting(String why) {
            mailbox.execute(() -> listener.waiting(why));
        }

        @Override
        public void failed(RuntimeException cause) {
            mailbox.execute(
                    () -> {
                        throw cause;
                    });
        }
    }
}
