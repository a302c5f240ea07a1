package dev.levee.operators.testing;

import dev.levee.gar.Draws;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.RunFailedException;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.coordinator.Coordinator;
import dev.levee.operators.rounds.coordinator.CoordinatorMemory;
import dev.levee.operators.rounds.coordinator.CoordinatorState;
import dev.levee.operators.rounds.shard.ParameterBlock;
import dev.levee.operators.rounds.shard.Shard;
import dev.levee.operators.rounds.shard.ShardState;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.testing.VersionTopic.Part;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One driven run whose workers are outside: versions are published on a topic and gradients read
 * from logs, none of which a crash of the job takes back. A job that starts again goes on from its
 * checkpoint or from what has been published, whichever is newer, block by block.
 */
final class ServedRun {
    /** More events than any run that makes progress takes, per round, worker and block. */
    private static final long PATIENCE = 4_000;

    private static final long START = 1_000_000;

    /**
     * States and the records in the job's channels.
     *
     * @param read how many records of each block's log have been read
     * @param passed the newest version that each worker's block has answered, by block
     * @param finished reports of rounds that have reached the job's results
     */
    private record Cut(
            List<Frozen<ShardState>> shards,
            Frozen<CoordinatorState> coordinator,
            List<List<ShardReport>> reports,
            List<List<Instruction>> instructions,
            int[] read,
            List<Map<Integer, Long>> passed,
            Map<Long, RoundReport> finished) {
        void check() {
            if (!coordinator.untouched() || !shards.stream().allMatch(Frozen::untouched)) {
                throw new BrokenInvariantException("a snapshot was written to after it was taken");
            }
        }
    }

    private record Entry(long at, long number, long life, Runnable what)
            implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    /** What is not in the job has a life of its own. */
    private static final long OUTSIDE = -1;

    private final Drive plan;
    private final Training training;
    private final Slices slices;
    private final int blocks;
    private final Wire wire;
    private final SplittableRandom random;
    private final List<String> log;
    private final PriorityQueue<Entry> entries = new PriorityQueue<>();
    private final boolean gated;
    private final VersionTopic topic;
    private final List<List<GradientBlock>> gradients = new ArrayList<>();
    private final List<OutsideWorkers> processes = new ArrayList<>();
    private final ServedPromises promises;
    private Cut cut;
    private Life job;
    private long life;
    private long number;
    private long now = START;
    private int crashes;

    /**
     * A run that has not started.
     *
     * @param processes how many workers are spread over
     * @param gated true if workers sign what they send, so that nobody else sends in their names
     * @param log receives a line per event, null for none
     */
    ServedRun(Drive plan, int processes, boolean gated, long seed, List<String> log) {
        this.plan = plan;
        this.gated = gated;
        this.log = log;
        training = plan.training();
        slices = plan.slices();
        blocks = slices.count();
        random = new SplittableRandom(Draws.key(seed, 2));
        wire = new Wire(plan, seed, random);
        topic = new VersionTopic(blocks);
        promises = new ServedPromises(plan);
        for (int block = 0; block < blocks; block++) {
            gradients.add(new ArrayList<>());
        }
        for (int process = 0; process < processes; process++) {
            int own = process;
            this.processes.add(
                    new OutsideWorkers(
                            plan,
                            topic,
                            id -> id % processes == own,
                            wire,
                            () -> now,
                            (delay, what) -> plan(delay, OUTSIDE, what),
                            this::sent));
        }
        cut = first();
    }

    private Cut first() {
        List<Frozen<ShardState>> shards = new ArrayList<>();
        for (int block = 0; block < blocks; block++) {
            int from = slices.offset(block);
            float[] part = Arrays.copyOfRange(plan.initial(), from, from + slices.length(block));
            shards.add(new Frozen<>(Codecs.SHARD, Shard.initial(training, 0, part)));
        }
        return new Cut(
                shards,
                new Frozen<>(Codecs.COORDINATOR, CoordinatorState.initial(training, slices, 0)),
                Collections.nCopies(blocks, List.of()),
                Collections.nCopies(blocks, List.of()),
                new int[blocks],
                Collections.nCopies(blocks, Map.of()),
                Map.of());
    }

    /**
     * Runs until everything has come to rest.
     *
     * @return how often the job was started again
     */
    int run() {
        long most =
                PATIENCE
                        * (training.rounds() + 1)
                        * training.plan().participants(training)
                        * blocks;
        Disturbances disturbances = plan.disturbances();
        start(List.of());
        for (long events = 0; !entries.isEmpty(); events++) {
            if (events > most) {
                throw new BrokenInvariantException("no end after " + events + " events");
            }
            if (wire.chance(disturbances.checkpoints())) {
                checkpoint();
            }
            if (crashes < disturbances.mostCrashes() && wire.chance(disturbances.crashes())) {
                crash();
            } else if (crashes < disturbances.mostCrashes()
                    && wire.chance(disturbances.crashes())) {
                crashes++;
                processes.get(random.nextInt(processes.size())).restart();
                note("a process of workers starts again");
            } else {
                Entry entry = entries.remove();
                now = entry.at();
                if (entry.life() == OUTSIDE) {
                    entry.what().run();
                } else if (entry.life() == life) {
                    work(entry.what());
                }
            }
        }
        cut.check();
        promises.ended(topic, gradients, job.finished);
        return crashes;
    }

    /** The job does something; where a part of it cannot go on, all of it starts again. */
    private void work(Runnable what) {
        try {
            what.run();
        } catch (IllegalStateException e) {
            if (topic.caughtUp()) {
                throw e;
            }
            note(e.getMessage());
            start(List.of());
        }
    }

    private void plan(long delay, long whose, Runnable what) {
        entries.add(new Entry(now + delay, number++, whose, what));
    }

    private void later(long delay, Runnable what) {
        plan(delay, life, what);
    }

    private void note(String what) {
        if (log != null) {
            log.add((now - START) + " " + what);
        }
    }

    /** What is on its way to the writer comes first; if it sends the job back, there is none. */
    private void checkpoint() {
        long before = life;
        for (Pipe<Part> pipe : job.parts) {
            while (before == life && !pipe.inFlight().isEmpty()) {
                pipe.take();
            }
        }
        if (before == life) {
            cut = job.cut();
            note("checkpoint of " + job);
        }
    }

    private void crash() {
        cut.check();
        crashes++;
        List<Part> left = new ArrayList<>();
        job.parts.forEach(pipe -> left.addAll(pipe.inFlight()));
        note("crash with " + left.size() + " parts on their way");
        start(left);
    }

    /**
     * The job starts from the last checkpoint, its parts one after the other, while what the crash
     * has left of the job before may still publish what it has in hand.
     */
    private void start(List<Part> left) {
        life++;
        ArrayDeque<Part> zombie = new ArrayDeque<>(left);
        job = new Life(cut, zombie);
        topic.fence();
        job.begin();
    }

    /** The job publishes a part, which has to be of what comes after the newest version. */
    private void offer(Part part) {
        if (part.version() < topic.newest() || topic.contradicts(part)) {
            note("version " + topic.newest() + " was published while the job started");
            start(List.of());
        } else {
            publish(part);
        }
    }

    private void publish(Part part) {
        if (topic.add(part)) {
            note("version " + topic.newest());
            promises.published(topic);
            processes.forEach(each -> each.told());
        }
    }

    /** A worker has sent a block, or somebody in its name. */
    private void sent(GradientBlock gradient) {
        append(gradient);
        Disturbances disturbances = plan.disturbances();
        if (!gated && wire.chance(disturbances.contradictions())) {
            append(wire.contradiction(gradient));
        }
        if (wire.chance(disturbances.duplicates())) {
            append(gradient);
        }
        if (!gated && wire.chance(disturbances.garbage())) {
            append(wire.garbage(gradient));
        }
    }

    private void append(GradientBlock gradient) {
        int block = gradient.header().block();
        gradients.get(block).add(gradient);
        later(wire.delay(), () -> job.read(block));
    }

    /** The job's objects between two crashes. */
    private final class Life {
        private final List<Shard> shards = new ArrayList<>();
        private final List<Pipe<ShardReport>> reports = new ArrayList<>();
        private final List<Pipe<Instruction>> instructions = new ArrayList<>();
        private final List<Pipe<Part>> parts = new ArrayList<>();
        private final Lanes lanes = new Lanes(1, blocks);
        private final int[] read;
        private final List<Map<Integer, Long>> passed = new ArrayList<>();
        private final TreeMap<Long, RoundReport> finished;
        private Coordinator coordinator;
        private long armed = -1;

        Life(Cut from, ArrayDeque<Part> zombie) {
            read = from.read().clone();
            finished = new TreeMap<>(from.finished());
            for (int block = 0; block < blocks; block++) {
                int own = block;
                passed.add(new TreeMap<>(from.passed().get(block)));
                reports.add(pipe(this::report));
                instructions.add(pipe(each -> shards.get(own).instruction(each)));
                reports.get(block).sendAll(from.reports().get(block));
                instructions.get(block).sendAll(from.instructions().get(block));
            }
            for (int place = 0; place <= blocks; place++) {
                parts.add(pipe(ServedRun.this::offer));
            }
            int last = random.nextInt(blocks + 1);
            for (int place = 0; place <= blocks; place++) {
                if (place == last) {
                    coordinator = coordinator(from.coordinator().thaw());
                }
                if (place < blocks) {
                    shards.add(shard(place, from.shards().get(place).thaw()));
                }
                while (!zombie.isEmpty() && random.nextBoolean()) {
                    publish(zombie.remove());
                }
            }
        }

        private <T> Pipe<T> pipe(Consumer<T> end) {
            return new Pipe<>(wire::delay, ServedRun.this::later, end);
        }

        private Shard shard(int block, ShardState state) {
            boolean behind = topic.newest() > state.version();
            Shard shard =
                    new Shard(
                            training,
                            plan.run(),
                            slices,
                            new ShardId(0, block),
                            behind ? adopt(block) : state,
                            new ShardOutput(block),
                            () -> now);
            if (behind) {
                note("block " + block + " adopts version " + topic.newest());
                shard.adopted();
            }
            return shard;
        }

        private ShardState adopt(int block) {
            long version = topic.newest();
            Part.Block published = topic.version(version).blocks().get(block);
            ParameterBlock beside = published.beside();
            return ShardState.opening(
                    training,
                    0,
                    version,
                    training.settings(0, version, topic.version(version).memory().plan()),
                    new ParameterBlock(
                            published.model().values(), beside.moments(), beside.previous()));
        }

        private Coordinator coordinator(CoordinatorState state) {
            boolean behind = topic.newest() > state.round();
            CoordinatorMemory memory = behind ? topic.version(topic.newest()).memory() : null;
            if (behind) {
                note("the coordinator adopts version " + memory.version());
                // The last decided round may not have been reported yet.
                for (long each = Math.max(1, state.round()); each <= memory.version(); each++) {
                    RoundReport last = topic.version(each).memory().last();
                    finished.putIfAbsent(last.round(), last);
                }
            }
            return new Coordinator(
                    training,
                    slices,
                    0,
                    behind ? CoordinatorState.adopted(training, slices, 0, memory) : state,
                    true,
                    new CoordinatorOutput(),
                    new Coordinator.Clocks(() -> now, () -> now));
        }

        /** Reads on, and does what every start repeats. */
        void begin() {
            for (int block = 0; block < blocks; block++) {
                for (int i = read[block]; i < gradients.get(block).size(); i++) {
                    int own = block;
                    later(wire.delay(), () -> read(own));
                }
            }
            shards.forEach(Shard::offer);
            coordinator.restart();
            arm();
            later(
                    1_000 * (1 + wire.delay()),
                    () -> {
                        if (!topic.caughtUp()) {
                            note("somebody goes on from less than was published");
                            start(List.of());
                        }
                    });
        }

        @Override
        public String toString() {
            return "round "
                    + coordinator.round()
                    + " answered by "
                    + coordinator.answered()
                    + ", blocks at "
                    + shards.stream().map(each -> each.snapshot().version()).toList();
        }

        Cut cut() {
            return new Cut(
                    shards.stream()
                            .map(each -> new Frozen<>(Codecs.SHARD, each.snapshot()))
                            .toList(),
                    new Frozen<>(Codecs.COORDINATOR, coordinator.snapshot()),
                    reports.stream().map(Pipe::inFlight).toList(),
                    instructions.stream().map(Pipe::inFlight).toList(),
                    read.clone(),
                    passed.stream().map(Map::copyOf).toList(),
                    new TreeMap<>(finished));
        }

        private void read(int block) {
            if (read[block] < gradients.get(block).size()) {
                GradientBlock next = gradients.get(block).get(read[block]++);
                if (passes(block, next.header())) {
                    shards.get(block).gradient(next);
                }
            }
        }

        /** Where workers sign, a gate lets each answer pass once, whatever becomes of it. */
        private boolean passes(int block, Header header) {
            Long before = passed.get(block).get(header.sender());
            boolean newer = before == null || before < header.round();
            if (gated && newer) {
                passed.get(block).put(header.sender(), header.round());
            }
            return !gated || newer;
        }

        private void report(ShardReport report) {
            coordinate(() -> coordinator.report(report));
        }

        private void coordinate(Runnable step) {
            try {
                step.run();
            } catch (RunFailedException e) {
                throw new BrokenInvariantException("failed without cause: " + e.getMessage());
            }
            arm();
        }

        private void arm() {
            long deadline = coordinator.deadline().orElse(-1);
            if (deadline >= 0 && deadline != armed) {
                later(
                        Math.max(0, deadline - now) + wire.delay(),
                        () -> coordinate(coordinator::tick));
            }
            armed = deadline;
        }

        private final class ShardOutput implements Shard.Output {
            private final int block;

            private ShardOutput(int block) {
                this.block = block;
            }

            @Override
            public void model(ModelBlock model) {
                parts.get(block).send(new Part.Block(model, shards.get(block).block()));
            }

            @Override
            public void report(ShardReport report) {
                reports.get(block).send(report);
                if (wire.chance(plan.disturbances().duplicates())) {
                    reports.get(block).send(report);
                }
            }

            @Override
            public void late(GradientBlock gradient) {}
        }

        private final class CoordinatorOutput implements Coordinator.Output {
            @Override
            public void instruct(Instruction instruction) {
                if (lanes.offer(false, instruction)) {
                    later(wire.delay(), () -> follow(instruction.shard()));
                }
            }

            private void follow(ShardId shard) {
                instructions.get(shard.block()).send((Instruction) lanes.take(false, shard));
            }

            @Override
            public void finished(RoundReport report) {
                finished.putIfAbsent(report.round(), report);
            }

            @Override
            public void opened(Supplier<CoordinatorMemory> memory) {
                parts.get(blocks).send(new Part.Memory(memory.get()));
            }
        }
    }
}
