package dev.levee.operators.rounds.sequential;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.learners.Evaluation;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Pulls;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.participant.ModelAssembler;
import dev.levee.operators.rounds.participant.ParticipantOutput;
import dev.levee.operators.rounds.participant.ParticipantStates;
import dev.levee.operators.rounds.participant.Workers;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.scoring.Scoring;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.topology.ReadingGroup;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.rounds.vector.Slices;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Runs one training in the caller's thread. It contains the same servers, workers and adversaries
 * as a job's operators, with a queue of records between them. The result is bit-identical to the
 * job's, because rounds that wait for all participants do not depend on the order of records. Time
 * is virtual: a timeout passes when no record is left.
 */
public final class SequentialRun implements AutoCloseable {
    /** Receives the events of a run, in order. */
    public interface Watcher {
        /** A participant begins to compute; nothing else happens before {@link #computed}. */
        default void computing() {}

        /** A participant has computed. */
        default void computed() {}

        /** A round is over at the watched server. */
        default void finished(RoundReport round) {}

        /** The evaluation of a model of the watched server begins; {@link #evaluated} follows. */
        default void evaluating() {}

        /**
         * A model of the watched server was evaluated; the last one is the final model.
         *
         * @param rounds number of rounds that it was trained for
         * @param test result on the test set
         * @param validation result on the samples that the data set holds out for validation; null
         *     if there are none
         */
        default void evaluated(long rounds, Evaluation test, Evaluation validation) {}
    }

    /**
     * The result of a run at the watched server, which is the first one that does not crash.
     *
     * @param parameters the final flat vector
     * @param workers counts per worker, in order; a last entry with worker −1 counts unknown
     *     senders
     */
    public record Outcome(float[] parameters, List<WorkerCounts> workers) {}

    private final Training training;
    private final Watcher watcher;
    private final VirtualMail mail = new VirtualMail();
    private final List<SequentialServer> servers = new ArrayList<>();
    private final List<Workers> readers = new ArrayList<>();
    private final int watched;
    private final ModelAssembler assembler;
    private final SequentialWork work;

    /** When readers of replicas check the clock; −1 for never. */
    private long alarmAt = -1;

    private long alarmTicket;
    private float[] last;

    /**
     * Creates a run.
     *
     * @throws IllegalArgumentException if the training cannot run in one thread, or its data set
     *     cannot be opened; one sentence
     */
    public SequentialRun(Training training, Watcher watcher) {
        check(training);
        this.training = training;
        this.watcher = watcher;
        Slices slices = Slices.of(training.model().layout());
        training.checkLength(slices.dimension());
        float[] initial = training.model().initialParameters(training.seed());
        for (int id = 0; id < training.topology().servers(); id++) {
            servers.add(
                    new SequentialServer(
                            training, slices, id, initial, mail, new ServerOutput(id)));
        }
        for (ReadingGroup group : ReadingGroup.of(training.topology())) {
            readers.add(
                    new Workers(
                            training,
                            Header.run(training.runId()),
                            slices,
                            group,
                            ParticipantStates.of(id -> true, new TreeMap<>()),
                            new WorkersOutput(),
                            mail::micros));
        }
        watched =
                IntStream.range(0, servers.size())
                        .filter(id -> !training.topology().crashed(id, training.rounds() - 1))
                        .findFirst()
                        .orElseThrow();
        assembler = new ModelAssembler(slices);
        work = new SequentialWork(training);
    }

    /**
     * Checks that one thread can run a training as a job would.
     *
     * @throws dev.levee.operators.rounds.fault.WrongTrainingException if not; one sentence
     */
    public static void check(Training training) {
        require(
                training.synchronous(),
                "{quorum} below the number of workers needs a job of its own, because its rounds"
                        + " depend on which workers are faster");
        require(
                training.topology().standby() == null,
                "{replica} needs a job of its own, because it is in another process");
        require(
                training.admission().deadline() == null,
                "{deadline} in real time needs a job of its own, because its rounds depend on"
                        + " which workers are faster");
        require(
                training.plan().ahead() == 0 || training.plan().foreseen(),
                "{replay} needs a job of its own, because it repeats the order of contributions in"
                        + " another run");
        require(
                !training.topology().remembersTold(),
                "{serverQuorum} below the number of servers needs a job of its own, because its"
                        + " exchanges depend on which servers are faster");
        require(
                !training.admission().combined(),
                "{combine} needs a job of its own, because contributions are added up host by"
                        + " host");
        require(
                !training.plan().measuresEffort(),
                "{elastic} needs a job of its own, because an allocator changes it");
    }

    /**
     * Trains to the last round.
     *
     * @throws RunFailedException if a round has more proven faults than f
     * @throws CancellationException if the thread is interrupted
     */
    public Outcome run() {
        servers.forEach(SequentialServer::start);
        for (Runnable next = mail.next(); next != null || last == null; next = mail.next()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new CancellationException(
                        "interrupted in round " + servers.get(watched).round());
            }
            if (next == null) {
                passTime();
            } else {
                next.run();
            }
        }
        return new Outcome(last, servers.get(watched).counts());
    }

    /** Moves the time to the next event, because no record is left. */
    private void passTime() {
        long due =
                servers.stream()
                        .mapToLong(server -> server.deadline().orElse(Long.MAX_VALUE))
                        .min()
                        .orElseThrow();
        boolean alarm = alarmAt >= 0 && alarmAt <= due;
        if (!alarm && due == Long.MAX_VALUE) {
            throw new IllegalStateException(
                    "round %d waits for records that are never sent"
                            .formatted(servers.get(watched).round()));
        }
        mail.passTo(alarm ? alarmAt : due);
        if (alarm) {
            alarmAt = -1;
            readers.get(0).alarm(alarmTicket);
            return;
        }
        for (SequentialServer server : servers) {
            if (server.deadline().orElse(Long.MAX_VALUE) <= mail.micros()) {
                server.tick();
            }
        }
    }

    private void model(ModelBlock block) {
        int server = block.shard().server();
        if (!training.moment(block.round()).ofWorkers()) {
            for (GradientBlock told : training.told(block, mail.micros())) {
                servers.get(told.shard().server()).told(told);
            }
            return;
        }
        if (server == watched && block.settings().evaluate()) {
            ModelAssembler.Assembled whole = assembler.add(block);
            if (whole != null) {
                evaluate(whole);
            }
        }
        if (!block.settings().stop()) {
            servers.get(server).answered(block);
            readers.get(ReadingGroup.of(training.topology(), server)).model(block);
        }
    }

    private void evaluate(ModelAssembler.Assembled model) {
        watcher.evaluating();
        watcher.evaluated(
                training.moment(model.version()).iteration(),
                work.evaluateOnTest(model.parameters()),
                work.evaluateOnValidation(model.parameters()));
        if (model.settings().stop()) {
            last = model.parameters();
        }
    }

    private Work.Result computed(Work.Task task) {
        watcher.computing();
        Work.Result result = work.work(task);
        watcher.computed();
        return result;
    }

    private final class ServerOutput implements SequentialServer.Output {
        private final int id;

        private ServerOutput(int id) {
            this.id = id;
        }

        @Override
        public void model(ModelBlock block) {
            SequentialRun.this.model(block);
        }

        @Override
        public void finished(RoundReport report) {
            if (id == watched) {
                watcher.finished(report);
            }
        }

        @Override
        public void tell(SumNotice notice) {
            readers.get(ReadingGroup.of(training.topology(), id)).told(notice);
        }

        @Override
        public double score(Scoring.Task task) {
            return work.score(task);
        }
    }

    private final class WorkersOutput implements ParticipantOutput {
        /** Ignores work for rounds after the last, because a run in one thread is not resumed. */
        @Override
        public void compute(Work.Task task) {
            Pulls pulls = task.settings().pulls();
            if (pulls != null && pulls.due(task.worker()) >= training.rounds()) {
                return;
            }
            mail.send(() -> readers.get(task.group()).computed(task, computed(task)));
        }

        @Override
        public void send(GradientBlock block) {
            servers.get(block.shard().server()).gradient(block);
        }

        @Override
        public void say(int group, long round, SumMessage.FromDevice message) {
            servers.get(group).said(new ShardReport.Said(round, group, message));
        }

        /** Only readers of replicas set alarms, and replicas are one group. */
        @Override
        public void alarm(int group, Duration after, long ticket) {
            alarmAt = mail.micros() + TimeUnit.MILLISECONDS.toMicros(after.toMillis());
            alarmTicket = ticket;
        }
    }

    @Override
    public void close() {
        work.close();
    }
}
