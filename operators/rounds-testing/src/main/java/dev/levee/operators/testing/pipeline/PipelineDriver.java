package dev.levee.operators.testing.pipeline;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Gradient;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.StageMessage;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.pipeline.PipelineHost;
import dev.levee.operators.rounds.pipeline.PipelinedModel;
import dev.levee.operators.rounds.pipeline.StageId;
import dev.levee.operators.rounds.pipeline.StageShares;
import dev.levee.operators.rounds.pipeline.StageState;
import dev.levee.operators.testing.Frozen;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Runs pipelines of several workers over several hosts without an engine. A seed decides which
 * event is next: a message arrives or a pass runs. Messages between the same two ends stay in
 * order. Some messages are encoded and decoded in transit, as between processes.
 */
public final class PipelineDriver {
    /** One end of a channel. */
    private record Channel(int from, int worker, int stage) implements Comparable<Channel> {
        @Override
        public int compareTo(Channel other) {
            return Arrays.compare(
                    new int[] {from, worker, stage},
                    new int[] {other.from, other.worker, other.stage});
        }
    }

    /** The run's id in its records. */
    public static final long RUN = 11;

    private final PipelinedModel model;
    private final StageShares shares;
    private final int workers;
    private final Random random;
    private final PipelineHost[] hosts;
    private final TreeMap<Channel, ArrayDeque<StageMessage>> channels = new TreeMap<>();
    private final List<Runnable> passes = new ArrayList<>();
    private final List<GradientBlock> sent = new ArrayList<>();
    private Throwable failure;

    /** Creates empty hosts, whose stages send their gradients to their workers. */
    public PipelineDriver(PipelinedModel model, int workers, int hosts, long seed) {
        this(model, StageShares.together(model), workers, hosts, seed);
    }

    /** Creates empty hosts. */
    public PipelineDriver(
            PipelinedModel model, StageShares shares, int workers, int hosts, long seed) {
        this.model = model;
        this.shares = shares;
        this.workers = workers;
        random = new Random(seed);
        this.hosts = new PipelineHost[hosts];
        restart();
    }

    /** Restarts all hosts; their work and messages are lost. */
    public void restart() {
        restart(Map.of());
    }

    /**
     * Restarts all hosts from a checkpoint.
     *
     * @param states a result of {@link #states}
     */
    public void restart(Map<StageId, StageState> states) {
        channels.clear();
        passes.clear();
        for (int host = 0; host < hosts.length; host++) {
            int from = host;
            hosts[host] =
                    new PipelineHost(
                            model,
                            shares,
                            shares.hearing(stages(host)),
                            RUN,
                            () -> 5,
                            passes::add,
                            new PipelineHost.Output() {
                                @Override
                                public void send(StageMessage message) {
                                    offer(from, message);
                                }

                                @Override
                                public void end(
                                        List<GradientBlock> blocks,
                                        StageMessage.Ended ended,
                                        Runnable remember) {
                                    remember.run();
                                    sent.addAll(blocks);
                                    offer(from, ended);
                                }

                                @Override
                                public void failed(StageMessage.Begin step, Throwable cause) {
                                    failure = cause;
                                }
                            });
        }
        for (Map.Entry<StageId, StageState> each : states.entrySet()) {
            StageState thawed = new Frozen<>(Codecs.STAGE_STATE, each.getValue()).thaw();
            host(each.getKey().worker(), each.getKey().stage())
                    .restore(Map.of(each.getKey(), thawed));
        }
    }

    /** The states of all stages now. */
    public Map<StageId, StageState> states() {
        Map<StageId, StageState> states = new TreeMap<>();
        for (PipelineHost host : hosts) {
            states.putAll(host.states());
        }
        return states;
    }

    /** The stages of any worker at a host. */
    private BitSet stages(int host) {
        BitSet stages = new BitSet();
        for (int index = 0; index < model.stages() * workers; index++) {
            if (index % hosts.length == host) {
                stages.set(index / workers);
            }
        }
        return stages;
    }

    /** Sends a block of a model to each host whose stages have parameters of it. */
    public void offer(ModelBlock block) {
        BitSet told = new BitSet();
        for (int index = 0; index < model.stages() * workers; index++) {
            int stage = index / workers;
            int host = index % hosts.length;
            if (shares.hears(stage, block.header().block()) && !told.get(host)) {
                told.set(host);
                hosts[host].receive(carried(new StageMessage.Model(index % workers, stage, block)));
            }
        }
    }

    /** Blocks that stages have sent to servers so far, in any order. */
    public List<GradientBlock> sent() {
        return List.copyOf(sent);
    }

    private void offer(int from, StageMessage message) {
        channels.computeIfAbsent(
                        new Channel(from, message.worker(), message.stage()),
                        channel -> new ArrayDeque<>())
                .add(message);
    }

    /** The host of a stage, or of the worker after the last one. */
    private PipelineHost host(int worker, int stage) {
        return hosts[(stage * workers + worker) % hosts.length];
    }

    /** Begins a step of a worker. */
    public CompletableFuture<Gradient> begin(
            int worker, float[] parameters, Batch batch, long seed) {
        return begin(worker, -1, -1, parameters, batch, seed);
    }

    /**
     * Begins a step of a worker.
     *
     * @param version the version that stages receive from servers; −1 if they get these parameters
     * @param after the round whose contribution it continues from, −1 if it continues from none
     */
    public CompletableFuture<Gradient> begin(
            int worker, long version, long after, float[] parameters, Batch batch, long seed) {
        return host(worker, model.stages())
                .gradient(worker, version, after, parameters, batch, seed);
    }

    /**
     * Runs a number of events; returns false if none is left.
     *
     * @throws IllegalStateException if a pass has failed
     */
    public boolean run(int events) {
        for (int event = 0; event < events; event++) {
            int choices = passes.size() + channels.size();
            if (choices == 0) {
                return false;
            }
            int choice = random.nextInt(choices);
            if (choice < passes.size()) {
                passes.remove(choice).run();
            } else {
                deliver(List.copyOf(channels.keySet()).get(choice - passes.size()));
            }
            if (failure != null) {
                throw new IllegalStateException("a pass has failed", failure);
            }
        }
        return true;
    }

    private void deliver(Channel channel) {
        ArrayDeque<StageMessage> queue = channels.get(channel);
        StageMessage message = queue.remove();
        if (queue.isEmpty()) {
            channels.remove(channel);
        }
        host(channel.worker(), channel.stage()).receive(carried(message));
    }

    private StageMessage carried(StageMessage message) {
        return random.nextBoolean() ? message : new Frozen<>(Codecs.STAGE, message).thaw();
    }

    /** The most bytes that a stage held at a time, on any host. */
    public long peakBytes(int stage) {
        return Arrays.stream(hosts).mapToLong(host -> host.peakBytes()[stage]).max().orElse(0);
    }
}
