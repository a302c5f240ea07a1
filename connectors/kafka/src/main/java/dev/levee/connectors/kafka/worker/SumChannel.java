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
 * A device's end of secure sums that devices may leave: signs what it says, and believes what the
 * job has signed. Opens its connection with the first sum. Runs on the device's thread, except for
 * what the connection hands over.
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
     * A channel that is not open.
     *
     * @param signing the device's key towards the job
     * @param mailbox runs things on the device's thread
     * @param heard takes what the job tells this device
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

    /** Hears what is told in the round that a model opens. */
    void follow(ReadModel model) {
        if (open == null) {
            secret = SumSecret.of(options.state());
            open = connection.sums(options.id(), new Told());
        }
        run = model.run();
        round = model.version();
        open.follow(run, round, model.publishedAt());
    }

    /** 32 bytes from which the device draws all that it draws in a sum. */
    byte[] secret(SumTask task) {
        return secret.of(task, options.id());
    }

    /** Sends what the device says in a sum, and again as long as its round may need it. */
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
        Frame frame = Frame.read(record).orElse(null);
        if (frame == null
                || frame.kind() != FrameKind.SUM
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

    /** Receives what the job tells. */
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
