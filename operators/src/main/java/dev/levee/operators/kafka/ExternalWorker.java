package dev.levee.operators.kafka;

import dev.levee.gar.Attack;
import dev.levee.operators.Training;
import dev.levee.operators.TrainingBuilder;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.WorkerState;
import dev.levee.operators.wire.Frame;
import dev.levee.operators.wire.Frames;
import dev.levee.operators.wire.KeyDirectory;
import dev.levee.operators.wire.SigningKey;
import dev.levee.operators.wire.VerifyingKey;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One worker outside the job: answers the newest model of the newest run on a topic, once, until it
 * has seen the final one. Everything happens on the thread that calls {@link #run}; models, results
 * and acknowledgements reach it through a mailbox.
 */
public final class ExternalWorker implements AutoCloseable {
    /**
     * What a worker is told that models do not say.
     *
     * @param id number of the worker
     * @param signing the worker's key, null in a run without keys
     * @param job the job's public key, null in a run without keys
     * @param training data set, partition, model, momentum, seed, compute threads and, if this
     *     worker is to misbehave, attack; everything else is taken from models
     * @param resendAfter how long after an answer it is sent again if there is no newer model
     * @param state file for what the worker has to remember, null to start afresh each time
     */
    public record Options(
            int id,
            SigningKey signing,
            VerifyingKey job,
            Training training,
            Duration resendAfter,
            Path state) {
        /**
         * Checks the attack.
         *
         * @throws IllegalArgumentException if a worker cannot attack so alone; one sentence
         */
        public Options {
            Forger.check(training.attack());
        }
    }

    private final Options options;
    private final WorkerListener listener;
    private final Clock clock;
    private final String topic;
    private final Slices slices;
    private final SigningKey signing;
    private final WorkerFile file;
    private final LinkedBlockingQueue<Runnable> mailbox = new LinkedBlockingQueue<>();
    private final AtomicReference<NewestVersion.Found> unread = new AtomicReference<>();
    private final ModelReader reader;
    private final AnswerSender sender;
    private WorkerFile.Saved saved;
    private WorkerSession session;
    private NewestVersion.Found newest;
    private boolean over;
    private Thread running;
    private volatile boolean stopped;

    /**
     * A worker that has not started.
     *
     * @throws IllegalArgumentException if the address, a client property or the file of its state
     *     is wrong; one sentence
     */
    public ExternalWorker(
            KafkaAddress address,
            Topics topics,
            Options options,
            WorkerListener listener,
            Clock clock) {
        this.options = options;
        this.listener = listener;
        this.clock = clock;
        this.topic = topics.models();
        this.signing = options.signing() == null ? null : options.signing().towards(options.job());
        this.slices = Slices.of(options.training().model().layout());
        this.file = options.state() == null ? null : new WorkerFile(options.state(), options.id());
        this.saved = file == null ? null : file.read().orElse(null);
        this.reader = new ModelReader(address, topics, options.job(), new Read());
        this.sender =
                new AnswerSender(
                        address,
                        KafkaClients.producer(address),
                        topics.gradients(),
                        KeyDirectory.name(options.id()).getBytes(StandardCharsets.UTF_8),
                        options.resendAfter(),
                        mailbox::add,
                        new Sent());
    }

    /**
     * Works until the run is over or {@link #stop} is called; call it once.
     *
     * @return true if the run is over
     * @throws IllegalStateException if it cannot go on; one sentence
     */
    public boolean run() {
        synchronized (this) {
            running = Thread.currentThread();
        }
        try {
            reader.start();
            while (!over && !stopped) {
                Runnable mail = mailbox.poll(sender.untilResend(), TimeUnit.NANOSECONDS);
                if (mail == null) {
                    sender.resend();
                } else {
                    mail.run();
                }
            }
        } catch (InterruptedException e) {
            if (!stopped) {
                Thread.currentThread().interrupt();
            }
        } catch (RuntimeException e) {
            // Whatever is interrupted by stop() fails in its own way.
            if (!stopped) {
                throw e;
            }
        } finally {
            synchronized (this) {
                running = null;
                if (stopped) {
                    Thread.interrupted();
                }
            }
            close();
        }
        return over;
    }

    /** Lets {@link #run} return soon; from any thread. */
    public synchronized void stop() {
        stopped = true;
        if (running != null) {
            running.interrupt();
        }
    }

    /** Frees what a worker that is not running holds. */
    @Override
    public void close() {
        reader.close();
        sender.close();
        if (session != null) {
            session.close();
            session = null;
        }
    }

    private void take(NewestVersion.Found model) {
        if (newest != null && !newer(model)) {
            return;
        }
        check(model);
        newest = model;
        Settings settings = model.frames().get(0).settings();
        listener.model(model.run(), model.version(), settings);
        if (settings.stop()) {
            over = true;
            return;
        }
        sender.superseded();
        if (options.id() >= settings.workers()) {
            return;
        }
        if (session == null || !session.serves(model.run(), settings.workers())) {
            WorkerState state = state(model.run(), settings);
            if (session != null) {
                session.close();
            }
            session =
                    new WorkerSession(
                            options.id(),
                            model.run(),
                            training(settings.workers()),
                            state,
                            mailbox::add,
                            this::micros,
                            this::answer);
        }
        answeredBefore(model).ifPresent(answer -> sender.send(answer, partitions()));
        saved = null;
        session.model(model.frames());
    }

    private boolean newer(NewestVersion.Found model) {
        return model.run() > newest.run()
                || model.run() == newest.run() && model.version() > newest.version();
    }

    private void check(NewestVersion.Found model) {
        boolean fits = model.frames().size() == slices.count();
        long length = 0;
        for (Frame frame : model.frames()) {
            fits = fits && frame.length() == slices.length(frame.block());
            length += frame.length();
        }
        if (!fits) {
            throw new IllegalStateException(
                    "the model on topic %s has %d parameters, but --model %s has %d"
                            .formatted(
                                    topic,
                                    length,
                                    options.training().model().name(),
                                    slices.dimension()));
        }
    }

    /** What the worker goes on from: what it did last in this run, if that is known. */
    private WorkerState state(long run, Settings settings) {
        if (session != null && session.run() == run) {
            return session.state();
        }
        if (saved != null && saved.answer().run() == run) {
            return saved.state();
        }
        return new WorkerState(-1, newest.version() * settings.batchSize(), null);
    }

    private Optional<Answer> answeredBefore(NewestVersion.Found model) {
        return Optional.ofNullable(saved)
                .map(WorkerFile.Saved::answer)
                .filter(each -> each.run() == model.run() && each.round() == model.version());
    }

    private Training training(int workers) {
        Attack attack = options.training().attack();
        // What forged values replace is computed as if honest.
        return new TrainingBuilder(options.training())
                .workers(workers)
                .attack(Forger.forges(attack) ? null : attack, workers)
                .build();
    }

    private long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
    }

    private int partitions() {
        return newest.next().size();
    }

    private void answer(List<GradientBlock> honest, Settings settings, WorkerState state) {
        List<GradientBlock> blocks = honest;
        Training training = options.training();
        if (Forger.forges(training.attack())) {
            blocks =
                    new Forger(training.attack(), options.id(), training.seed(), slices)
                            .forge(honest, settings);
        }
        List<byte[]> frames =
                blocks.stream().map(block -> Frames.of(block, slices.count(), signing)).toList();
        GradientBlock first = blocks.get(0);
        Answer answer =
                new Answer(first.header().run(), first.header().round(), first.loss(), frames);
        if (file != null) {
            // Before it is sent: nobody must ever see another answer to the same model.
            file.write(answer, state);
        }
        sender.send(answer, partitions());
        if (answer.round() < newest.version()) {
            sender.superseded();
        }
    }

    /** What the reader has found, on its thread. */
    private final class Read implements ModelReader.Output {
        @Override
        public void newest(NewestVersion.Found model) {
            // If one has not been taken yet, its mail will find this one.
            if (unread.getAndSet(model) == null) {
                mailbox.add(() -> take(unread.getAndSet(null)));
            }
        }

        @Override
        public void waiting(String why) {
            mailbox.add(() -> listener.waiting(why));
        }

        @Override
        public void failed(RuntimeException cause) {
            mailbox.add(
                    () -> {
                        throw cause;
                    });
        }
    }

    /** What has become of answers. */
    private final class Sent implements AnswerSender.Output {
        @Override
        public void delivered(Answer answer) {
            listener.answered(answer.run(), answer.round(), answer.loss());
        }

        @Override
        public void resent(Answer answer) {
            listener.resent(answer.run(), answer.round());
        }

        @Override
        public void waiting(String why) {
            listener.waiting(why);
        }
    }
}
