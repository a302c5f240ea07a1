package dev.levee.operators.testing.served;

import dev.levee.connectors.kafka.job.VersionPart;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.coordinator.Coordinator;
import dev.levee.operators.rounds.coordinator.CoordinatorMemory;
import dev.levee.operators.rounds.coordinator.CoordinatorState;
import dev.levee.operators.rounds.coordinator.RoundOutput;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.shard.ParameterBlock;
import dev.levee.operators.rounds.shard.Shard;
import dev.levee.operators.rounds.shard.ShardState;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.testing.BrokenInvariantException;
import dev.levee.operators.testing.Drive;
import dev.levee.operators.testing.Frozen;
import dev.levee.operators.testing.Lanes;
import dev.levee.operators.testing.Pipe;
import dev.levee.operators.testing.Wire;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The objects of a job with outside workers, between two crashes. */
final class ServedJob {
    /**
     * A checkpoint: states and the records in the job's channels.
     *
     * @param read number of records read of each block's log
     * @param passed by block: the newest version that each worker has answered
     * @param finished reports of rounds that have reached the job's results
     */
    record Cut(
            List<Frozen<ShardState>> shards,
            Frozen<CoordinatorState> coordinator,
            List<List<ShardReport>> reports,
            List<List<Instruction>> instructions,
            int[] read,
            List<Map<Integer, Long>> passed,
            Map<Long, RoundReport> finished) {
        /** The initial state of a job. */
        static Cut first(Drive plan) {
            int blocks = plan.slices().count();
            List<Frozen<ShardState>> shards = new ArrayList<>();
            for (int block = 0; block < blocks; block++) {
                shards.add(new Frozen<>(Codecs.SHARD, plan.initial(0, block)));
            }
            CoordinatorState coordinator =
                    CoordinatorState.initial(plan.training(), plan.slices(), 0);
            return new Cut(
                    shards,
                    new Frozen<>(Codecs.COORDINATOR, coordinator),
                    Collections.nCopies(blocks, List.of()),
                    Collections.nCopies(blocks, List.of()),
                    new int[blocks],
                    Collections.nCopies(blocks, Map.of()),
                    Map.of());
        }

        void check() {
            if (!coordinator.untouched() || !shards.stream().allMatch(Frozen::untouched)) {
                throw new BrokenInvariantException("a snapshot was written to after it was taken");
            }
        }
    }

    private final ServedRun run;
    private final Drive plan;
    private final Training training;
    private final int blocks;
    private final VersionTopic topic;
    private final Wire wire;
    private final List<Shard> shards = new ArrayList<>();
    private final List<Pipe<ShardReport>> reports = new ArrayList<>();
    private final List<Pipe<Instruction>> instructions = new ArrayList<>();
    private final List<Pipe<VersionPart>> parts = new ArrayList<>();
    private final Lanes lanes;
    private final int[] read;
    private final List<Map<Integer, Long>> passed = new ArrayList<>();
    private final TreeMap<Long, RoundReport> finished;
    private Coordinator coordinator;
    private long armed = -1;

    /**
     * Creates a job that continues from a checkpoint or from the published version.
     *
     * @param zombie the versions that the previous job may still publish
     */
    ServedJob(ServedRun run, Cut from, ArrayDeque<VersionPart> zombie) {
        this.run = run;
        plan = run.plan;
        training = plan.training();
        blocks = plan.slices().count();
        topic = run.topic;
        wire = run.wire;
        lanes = new Lanes(1, blocks);
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
            parts.add(pipe(run::publish));
        }
        int last = run.random.nextInt(blocks + 1);
        for (int place = 0; place <= blocks; place++) {
            if (place == last) {
                coordinator = coordinator(from.coordinator().thaw());
            }
            if (place < blocks) {
                shards.add(shard(place, from.shards().get(place).thaw()));
            }
            while (!zombie.isEmpty() && run.random.nextBoolean()) {
                run.publishLeft(zombie.remove());
            }
        }
    }

    private <T> Pipe<T> pipe(Consumer<T> end) {
        return new Pipe<>(wire::delay, run::later, end);
    }

    private Shard shard(int block, ShardState state) {
        boolean behind = topic.newest() > state.version();
        Shard shard =
                new Shard(
                        training,
                        plan.run(),
                        plan.slices(),
                        new ShardId(0, block),
                        behind ? adopt(block) : state,
                        new ShardOutput(block),
                        run::now);
        if (behind) {
            run.note("block " + block + " adopts version " + topic.newest());
            shard.adopted();
        }
        return shard;
    }

    private ShardState adopt(int block) {
        long version = topic.newest();
        VersionPart.Block published = topic.version(version).blocks().get(block);
        return ShardState.opening(
                training,
                0,
                version,
                training.settings(0, version, topic.version(version).memories().get(0).plan()),
                new ParameterBlock(
                        published.model().values(), published.moments(), published.previous()));
    }

    private Coordinator coordinator(CoordinatorState state) {
        boolean behind = topic.newest() > state.round();
        CoordinatorMemory memory = behind ? topic.version(topic.newest()).memories().get(0) : null;
        if (behind) {
            run.note("the coordinator adopts version " + memory.version());
            // The last decided round may not have been reported yet.
            for (long each = Math.max(1, state.round()); each <= memory.version(); each++) {
                RoundReport last = topic.version(each).memories().get(0).last();
                finished.putIfAbsent(last.round(), last);
            }
        }
        return new Coordinator(
                training,
                Header.run(training.runId()),
                plan.slices(),
                0,
                behind ? CoordinatorState.adopted(training, plan.slices(), 0, memory) : state,
                true,
                new CoordinatorOutput(),
                new Coordinator.Clocks(run::now, run::now));
    }

    /** Continues reading, and repeats what every start must repeat. */
    void begin() {
        for (int block = 0; block < blocks; block++) {
            for (int i = read[block]; i < run.sentTo(block).size(); i++) {
                int own = block;
                run.later(wire.delay(), () -> read(own));
            }
        }
        shards.forEach(Shard::offer);
        coordinator.restart();
        arm();
        run.later(
                1_000 * (1 + wire.delay()),
                () -> {
                    if (!topic.caughtUp()) {
                        run.note("somebody goes on from less than was published");
                        run.start(List.of());
                    }
                });
    }

    TreeMap<Long, RoundReport> finished() {
        return finished;
    }

    List<Pipe<VersionPart>> parts() {
        return parts;
    }

    @Override
    public String toString() {
        return "round %s answered by %s, blocks at %s"
                .formatted(
                        coordinator.round(),
                        coordinator.answered(),
                        shards.stream().map(each -> each.snapshot().version()).toList());
    }

    Cut cut() {
        return new Cut(
                shards.stream().map(each -> new Frozen<>(Codecs.SHARD, each.snapshot())).toList(),
                new Frozen<>(Codecs.COORDINATOR, coordinator.snapshot()),
                reports.stream().map(Pipe::inFlight).toList(),
                instructions.stream().map(Pipe::inFlight).toList(),
                read.clone(),
                passed.stream().map(Map::copyOf).toList(),
                new TreeMap<>(finished));
    }

    void read(int block) {
        if (read[block] < run.sentTo(block).size()) {
            GradientBlock next = run.sentTo(block).get(read[block]++);
            if (passes(block, next.header())) {
                shards.get(block).gradient(next);
            }
        }
    }

    /** If workers sign, a gate passes each answer once, even if it is refused later. */
    private boolean passes(int block, Header header) {
        Long before = passed.get(block).get(header.sender());
        boolean newer = before == null || before < header.round();
        if (run.gated && newer) {
            passed.get(block).put(header.sender(), header.round());
        }
        return !run.gated || newer;
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
            run.later(
                    Math.max(0, deadline - run.now()) + wire.delay(),
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
            ParameterBlock beside = shards.get(block).block();
            parts.get(block)
                    .send(new VersionPart.Block(model, beside.moments(), beside.previous()));
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

    private final class CoordinatorOutput implements RoundOutput {
        @Override
        public void instruct(Instruction instruction) {
            if (lanes.offer(false, instruction)) {
                run.later(wire.delay(), () -> follow(instruction.shard()));
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
            parts.get(blocks).send(new VersionPart.Memory(0, memory.get()));
        }
    }
}
