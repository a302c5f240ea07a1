package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.versions.ModelReader;
import dev.levee.connectors.kafka.versions.ModelSource;
import dev.levee.connectors.kafka.versions.NewestVersion;
import dev.levee.connectors.kafka.versions.Versions;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.connectors.kafka.wire.VerifyingKey;
import dev.levee.gar.Attack;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.participant.WorkerState;
import dev.levee.operators.rounds.report.LocalScore;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.kafka.common.errors.RetriableException;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A worker outside the job. It answers each newest model of the newest run on a topic once, until
 * the final model arrives. If workers compute a gradient for each server, an instance serves one of
 * the servers. Everything happens on the thread that calls {@link #run}; models, results and
 * acknowledgements reach this thread through a mailbox. One class because a third of it is its
 * options and the callbacks that fill the mailbox.
 */
public final class ExternalWorker implements AutoCloseable {
    /**
     * Settings of a worker that models do not carry.
     *
     * @param id number of the worker
     * @param signing the worker's key, null in a run without keys
     * @param peers directory with the public keys of other workers, null in a run without keys;
     *     only secure sums need it
     * @param servers the servers whose models the worker reads
     * @param training data set, partition, model, momentum, seed, compute threads and, if this
     *     worker is to misbehave, attack; everything else is taken from models
     * @param resolver derives the actual training from {@code training} and the models
     * @param delay how long the worker holds back its results, for experiments
     * @param resendAfter time after which an answer is resent if there is no newer model
     * @param state file for the worker's state; if null, the worker starts from the records on the
     *     topics
     */
    public record Options(
            int id,
            SigningKey signing,
            KeyDirectory peers,
            TrustedServers servers,
            Training training,
            TrainingResolver resolver,
            Duration delay,
            Duration resendAfter,
            Path state) {
        /** Options of a worker of one server that computes gradients without delay. */
        public Options(
                int id,
                SigningKey signing,
                VerifyingKey job,
                Training training,
                Duration resendAfter,
                Path state) {
            this(
                    id,
                    signing,
                    null,
                    TrustedServers.one(job),
                    training,
                    TrainingResolver.OF_GRADIENTS,
                    Duration.ZERO,
                    resendAfter,
                    state);
        }

        /**
         * Checks the attack.
         *
         * @throws IllegalArgumentException if the attack needs more than one worker sees; one
         *     sentence
         */
        public Options {
            Attackers attackers = training.attackers();
            if (attackers.are(attack -> attack.sees() == Attack.Sees.HONEST)) {
                throw new IllegalArgumentException(
                        "--attack %s depends on the gradients of honest workers, which a worker outside the job does not see"
                                .formatted(attackers.name()));
            }
        }
    }

    private final Options options;
    private final WorkerListener listener;
    private final Clock clock;
    private final Connection connection;
    private final Topics topics;
    private final Slices slices;
    private final SigningKey signing;
    private final WorkerStartState startState;
    private final AnswerMaker maker;
    private final LinkedBlockingQueue<Runnable> mailbox = new LinkedBlockingQueue<>();
    private final AtomicReference<NewestVersion.Found> unread = new AtomicReference<>();
    private final Read read = new Read();
    private final ModelSource reader;
    private final AnswerSender sender;
    private final SumChannel sums;
    private WorkerSession session;
    private VersionEvaluator evaluator;
    private ReadModel newest;

    /** Combines the models of several servers; null if there is one server. */
    private final ServerReading servers;

    /** True if the worker reads no models while it computes. */
    private boolean pulls;

    private boolean over;
    private Thread running;
    private volatile boolean stopped;

    /**
     * Creates a worker that connects to brokers and has not started.
     *
     * @throws IllegalArgumentException if the address, a client property or the state file is
     *     wrong; one sentence
     */
    public ExternalWorker(
            KafkaAddress address,
            Topics topics,
            Options options,
            WorkerListener listener,
            Clock clock) {
        this(new KafkaConnection(address, topics), topics, options, listener, clock);
    }

    /**
     * Creates a worker that has not started.
     *
     * @param connection the connection to the topics
     * @throws IllegalArgumentException if the connection or the state file is wrong; one sentence
     */
    public ExternalWorker(
            Connection connection,
            Topics topics,
            Options options,
            WorkerListener listener,
            Clock clock) {
        this.options = options;
        this.listener = listener;
        this.clock = clock;
        this.connection = connection;
        this.topics = topics;
        this.signing =
                options.signing() == null
                        ? null
                        : options.signing().towards(options.servers().ring().job());
        this.slices = Slices.of(options.training().model().layout());
        this.startState = new WorkerStartState(options, connection, signing, slices);
        this.maker = new AnswerMaker(options, topics, signing, slices);
        TrustedServers trusted = options.servers();
        this.servers =
                trusted.count() == 1
                        ? null
                        : new ServerReading(
                                trusted, slices, options.training().seed(), System::nanoTime);
        this.reader = connection.models(trusted.ring(), trusted.byzantine(), read);
        this.sender =
                new AnswerSender(
                        connection.gradients(options.id()),
                        topics.gradients(),
                        options.resendAfter(),
                        mailbox::add,
                        new Sent());
        this.sums =
                new SumChannel(options, connection, signing, mailbox::add, this::told, listener);
    }

    /**
     * Works until the run is over or {@link #stop} is called; call it once.
     *
     * @return true if the run is over
     * @throws IllegalStateException if it cannot continue; one sentence
     */
    public boolean run() {
        synchronized (this) {
            running = Thread.currentThread();
        }
        try {
            reader.start();
            while (!(over && told()) && !stopped) {
                long silent = servers == null ? Long.MAX_VALUE : servers.untilDue();
                long pause = Math.min(silent, sender.untilResend());
                Runnable mail = mailbox.poll(pause, TimeUnit.NANOSECONDS);
                if (mail != null) {
                    mail.run();
                } else if (pause == silent) {
                    goOnWithout();
                } else {
                    sender.resend();
                }
            }
        } catch (InterruptedException e) {
            if (!stopped) {
                Thread.currentThread().interrupt();
            }
        } catch (RuntimeException e) {
            // stop() interrupts this thread; the interrupted call may throw any exception.
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

    /** True if the job does not wait for scores of this worker. */
    private boolean told() {
        return evaluator == null || evaluator.idle();
    }

    /** Makes {@link #run} return soon. May be called from any thread. */
    public synchronized void stop() {
        stopped = true;
        if (running != null) {
            running.interrupt();
        }
    }

    /** Frees the resources of a worker that is not running. */
    @Override
    public void close() {
        reader.close();
        sender.close();
        sums.close();
        if (session != null) {
            session.close();
            session = null;
        }
        if (evaluator != null) {
            evaluator.close();
            evaluator = null;
        }
    }

    private void take(NewestVersion.Found found) {
        if (servers == null) {
            check(found);
            take(ReadModel.of(found));
        } else if (newest == null
                || found.run() > newest.run()
                || found.run() == newest.run() && found.version() > newest.version()) {
            servers.take(found).ifPresent(this::take);
        }
    }

    /**
     * Continues with the models of the servers that have published, after the timeout for the
     * others.
     */
    private void goOnWithout() {
        servers.giveUp().ifPresentOrElse(this::take, () -> listener.waiting(servers.reason()));
    }

    private void take(ReadModel model) {
        boolean passed = pulls && session != null && session.busy();
        if (passed || newest != null && !model.newerThan(newest)) {
            return; // a skipped model is looked up again after the answer
        }
        Settings settings = model.settings();
        boolean asked = settings.asks(options.id());
        if (asked && newest == null) {
            try {
                startState.look(model);
            } catch (RetriableException e) {
                listener.waiting(e.getMessage());
                // Retries, because the broker may be back.
                mailbox.add(() -> take(model));
                return;
            }
        }
        newest = model;
        listener.model(model.run(), model.version(), settings);
        if (settings.evaluate() && model.evaluator() == options.id()) {
            evaluate(model);
        }
        if (settings.stop()) {
            over = true;
            sender.superseded();
            return;
        }
        sender.superseded();
        if (!asked) {
            return;
        }
        int dealtTo = model.dealtTo();
        if (dealtTo <= options.id()) {
            throw new IllegalStateException(
                    "the job of topic %s distributes data to %d workers, and %s is not one of them"
                            .formatted(topics.models(), dealtTo, KeyDirectory.name(options.id())));
        }
        String work = model.work();
        if (session == null || !session.serves(model.run(), dealtTo, work)) {
            TrainingResolver.Told told = new TrainingResolver.Told(dealtTo, settings, work);
            Training training = maker.training(told);
            WorkerState state =
                    session != null && session.run() == model.run()
                            ? session.state()
                            : startState.state(model, training);
            if (session != null) {
                session.close();
            }
            session =
                    new WorkerSession(
                            options.id(),
                            options.servers().answered(),
                            model.run(),
                            work,
                            training,
                            state,
                            sums,
                            slowly(),
                            this::micros,
                            this::answer);
            pulls = options.resolver().pulls(told);
        }
        if (session.summing()) {
            sums.follow(model);
        }
        startState.answerTo(model).ifPresent(sender::send);
        session.model(model.blocks());
        if (pulls && session.busy()) {
            reader.hold();
        }
    }

    private void evaluate(ReadModel model) {
        if (evaluator == null) {
            evaluator =
                    new VersionEvaluator(
                            options.id(),
                            signing,
                            options.training(),
                            connection,
                            topics,
                            mailbox::add,
                            this::micros,
                            listener);
        }
        evaluator.evaluate(model);
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
                                    topics.models(),
                                    length,
                                    options.training().model().name(),
                                    slices.dimension()));
        }
    }

    /** Receives a message of the job in a secure sum. */
    private void told(SumNotice notice) {
        if (session != null) {
            session.told(notice);
        }
    }

    /** Runs tasks on this thread, after the configured delay. */
    private Executor slowly() {
        long nanos = options.delay().toNanos();
        return nanos == 0
                ? mailbox::add
                : CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, mailbox::add);
    }

    private long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
    }

    private void answer(
            List<GradientBlock> honest, LocalScore score, Settings settings, WorkerState state) {
        Answer answer = maker.answer(honest, score, settings);
        // Stored before it is sent, so that the worker never answers a model in two ways.
        startState.keep(answer, state);
        sender.send(answer);
        if (!answer.answers(newest)) {
            sender.superseded();
        }
        if (pulls) {
            reader.resume();
        }
    }

    /** Receives models, on the reader's thread. */
    private final class Read implements ModelReader.Output {
        @Override
        public void newest(NewestVersion.Found model) {
            // If the task of an earlier model is still queued, that task will take this model.
            if (unread.getAndSet(model) == null) {
                mailbox.add(() -> take(unread.getAndSet(null)));
            }
        }

        @Override
        public void contradicted(Versions.Contradiction proof) {
            int only = options.servers().only();
            if (only == TrustedServers.ALL || only == proof.server()) {
                mailbox.add(() -> listener.contradicted(proof.server(), proof.version()));
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

    /** Receives the outcome of answers. */
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
