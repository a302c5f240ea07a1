package dev.levee.operators.testing.served;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.participant.ParticipantOutput;
import dev.levee.operators.rounds.participant.ParticipantStates;
import dev.levee.operators.rounds.participant.WorkerState;
import dev.levee.operators.rounds.participant.Workers;
import dev.levee.operators.rounds.topology.ReadingGroup;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.testing.Drive;
import dev.levee.operators.testing.Pipe;
import dev.levee.operators.testing.Wire;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * A process of workers outside the job. It reads the newest version at each check, and stores the
 * workers' state in a file, from which it continues after a restart.
 */
final class OutsideWorkers {
    private static final long RESEND_DELAYS = 50;

    private final Drive plan;
    private final VersionTopic topic;
    private final IntPredicate own;
    private final Wire wire;
    private final LongSupplier clock;
    private final Pipe.Later later;
    private final Consumer<GradientBlock> send;
    private final TreeMap<Integer, WorkerState> file = new TreeMap<>();

    /** The last answers, by worker. */
    private final TreeMap<Integer, List<GradientBlock>> answers = new TreeMap<>();

    private Workers workers;
    private long life;
    private long read = -1;

    /**
     * Starts a process.
     *
     * @param own the workers of this process
     * @param send appends a block to the log of gradients
     */
    OutsideWorkers(
            Drive plan,
            VersionTopic topic,
            IntPredicate own,
            Wire wire,
            LongSupplier clock,
            Pipe.Later later,
            Consumer<GradientBlock> send) {
        this.plan = plan;
        this.topic = topic;
        this.own = own;
        this.wire = wire;
        this.clock = clock;
        this.later = later;
        this.send = send;
        workers = workers();
    }

    private Workers workers() {
        return new Workers(
                plan.training(),
                plan.run(),
                plan.slices(),
                ReadingGroup.of(0),
                ParticipantStates.of(own, file),
                new Output(),
                clock);
    }

    /** Notifies the process of a publication, which it sees some time later. */
    void told() {
        long told = life;
        later.call(
                wire.delay(),
                () -> {
                    if (told == life) {
                        look();
                    }
                });
    }

    private void look() {
        if (topic.newest() > read) {
            read = topic.newest();
            topic.version(read).blocks().forEach(block -> workers.model(block.model()));
        }
    }

    /** Stops the process, discards its pending events, and starts it again. */
    void restart() {
        life++;
        read = -1;
        workers = workers();
        told();
        answers.keySet().forEach(worker -> resendLater(worker, 1));
    }

    /** Repeats an answer until a newer version is published, because a job may have lost it. */
    private void resendLater(int worker, int times) {
        long sent = life;
        List<GradientBlock> answer = answers.get(worker);
        later.call(
                RESEND_DELAYS * times * (1 + wire.delay()),
                () -> {
                    boolean newest = answer.get(0).header().baseVersion() == topic.newest();
                    if (sent == life && newest && !topic.version(topic.newest()).last()) {
                        List.copyOf(answer).forEach(send);
                        resendLater(worker, 2 * times);
                    }
                });
    }

    private void computed(Work.Task task) {
        answers.put(task.worker(), new ArrayList<>());
        workers.computed(task, plan.work(task));
        workers.store();
        resendLater(task.worker(), 1);
    }

    private final class Output implements ParticipantOutput {
        @Override
        public void compute(Work.Task task) {
            long started = life;
            later.call(
                    wire.computation(),
                    () -> {
                        if (started == life) {
                            computed(task);
                        }
                    });
        }

        @Override
        public void send(GradientBlock block) {
            GradientBlock framed = block.with(block.values());
            answers.get(block.header().sender()).add(framed);
            send.accept(framed);
        }
    }
}
