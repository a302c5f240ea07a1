package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.GradientCost;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.participant.GradientComputer;
import dev.levee.operators.rounds.participant.ParticipantOutput;
import dev.levee.operators.rounds.participant.ParticipantStates;
import dev.levee.operators.rounds.participant.WorkerState;
import dev.levee.operators.rounds.participant.Workers;
import dev.levee.operators.rounds.report.LocalScore;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.securesum.SumTask;
import dev.levee.operators.rounds.topology.ReadingGroup;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.rounds.vector.Slices;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * A worker's participation in one run, with a fixed number of workers that share the data and fixed
 * work. Single-threaded: results of computing threads come through a mailbox.
 */
final class WorkerSession implements ParticipantOutput, GradientComputer.Done, AutoCloseable {
    /** Receives gradients. */
    interface Output {
        /**
         * Receives a whole gradient.
         *
         * @param score scores of models on the worker's samples, null if there are none
         * @param settings the settings of the gradient's round
         * @param state the worker's state after this gradient
         */
        void computed(
                List<GradientBlock> blocks, LocalScore score, Settings settings, WorkerState state);
    }

    private final int worker;
    private final long run;
    private final int dealtTo;
    private final String work;
    private final Executor mailbox;
    private final Output output;
    private final SumChannel sums;
    private final Workers workers;
    private final GradientComputer computer;
    private final List<GradientBlock> blocks = new ArrayList<>();

    /** Settings of the round of {@link #blocks}. */
    private Settings answered;

    /** Settings of the round that the worker computes for. */
    private Settings computing;

    private LocalScore score;
    private boolean busy;
    private boolean closed;

    /**
     * Creates a session.
     *
     * @param server the server that gradients are for
     * @param work the work of participants, as the run's models describe it
     * @param training the training, with the number of workers that share the data
     * @param sums channel for secure sums that devices may leave
     * @param mailbox runs tasks on the session's thread
     */
    WorkerSession(
            int worker,
            int server,
            long run,
            String work,
            Training training,
            WorkerState state,
            SumChannel sums,
            Executor mailbox,
            LongSupplier micros,
            Output output) {
        this.worker = worker;
        this.run = run;
        this.dealtTo = training.workers();
        this.work = work;
        this.mailbox = mailbox;
        this.output = output;
        this.sums = sums;
        Map<Integer, WorkerState> states = new HashMap<>(Map.of(worker, state));
        this.workers =
                new Workers(
                        training,
                        run,
                        Slices.of(training.model().layout()),
                        ReadingGroup.of(server),
                        ParticipantStates.of(id -> id == worker, states),
                        this,
                        micros);
        this.computer = new GradientComputer(training, KeyDirectory.name(worker), this);
    }

    /** True if this session can continue with a model of that run, number of workers and work. */
    boolean serves(long otherRun, int workerCount, String otherWork) {
        return otherRun == run && workerCount == dealtTo && otherWork.equals(work);
    }

    /** The run that this session belongs to. */
    long run() {
        return run;
    }

    /** The worker's current state. */
    WorkerState state() {
        return workers.state(worker);
    }

    /** Receives a whole model. */
    void model(List<ModelBlock> model) {
        model.forEach(workers::model);
    }

    /** True if the worker's contributions are parts of secure sums that devices may leave. */
    boolean summing() {
        return workers.summing();
    }

    /** Receives a message of the job in a secure sum. */
    void told(SumNotice notice) {
        if (workers.summing() && !closed) {
            workers.told(notice);
            handOut();
        }
    }

    /** True while the worker computes. */
    boolean busy() {
        return busy;
    }

    @Override
    public void compute(Work.Task task) {
        busy = true;
        computing = task.settings();
        computer.start(task);
    }

    @Override
    public void computed(Work.Task task, Work.Result result, GradientCost effort) {
        mailbox.execute(
                () -> {
                    if (!closed) {
                        busy = false;
                        workers.computed(task, result);
                        handOut();
                    }
                });
    }

    /**
     * Hands out the contribution, if it is ready. In a secure sum, it is ready once the other
     * devices have shared their secrets.
     */
    private void handOut() {
        if (!blocks.isEmpty()) {
            List<GradientBlock> whole = List.copyOf(blocks);
            blocks.clear();
            output.computed(whole, score, answered, state());
            score = null;
        }
    }

    @Override
    public void scored(int group, LocalScore told) {
        score = told;
    }

    @Override
    public byte[] secret(Training training, SumTask task, int device) {
        return sums.secret(task);
    }

    @Override
    public void say(int group, long round, SumMessage.FromDevice message) {
        sums.say(round, message);
    }

    @Override
    public void failed(Work.Task task, Throwable cause) {
        mailbox.execute(
                () -> {
                    if (!closed) {
                        throw new IllegalStateException(
                                "worker %s failed in round %d: %s"
                                        .formatted(KeyDirectory.name(worker), task.round(), cause),
                                cause);
                    }
                });
    }

    @Override
    public void send(GradientBlock block) {
        blocks.add(block);
        // The worker may compute for the next round when the blocks are handed out.
        answered = computing;
    }

    @Override
    public void close() {
        closed = true;
        computer.close();
    }
}
