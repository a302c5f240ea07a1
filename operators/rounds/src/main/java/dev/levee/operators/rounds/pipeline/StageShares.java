package dev.levee.operators.rounds.pipeline;

import dev.levee.learners.Layout;
import dev.levee.operators.rounds.participant.LocalVectors;
import dev.levee.operators.rounds.participant.ModelArrays;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.rounds.vector.Coordinates;
import dev.levee.operators.rounds.vector.Slices;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Divides a worker's contribution among its stages and the worker, and processes a part before it
 * is sent. Each stage has the gradient by its own parameters. A stage sends blocks that lie wholly
 * within it to the servers; the worker assembles blocks that several stages share. The first block
 * always goes through the worker, which sends it together with an update of its state. So after a
 * failure, no server has a whole contribution that its worker does not remember.
 */
public final class StageShares {
    /**
     * The share of a stage.
     *
     * @param held coordinates of its parameters
     * @param sent blocks that the stage sends to the servers
     * @param shared the part of its gradient that goes to the worker
     */
    record Share(Coordinates held, BitSet sent, Coordinates shared) {}

    private final Slices slices;
    private final List<Share> shares;
    private final Coordinates worker;
    private final int trainable;

    /** The work that stages apply to their parts; null if they send nothing to servers. */
    private final Work work;

    private StageShares(PipelinedModel model, Slices slices, List<BitSet> sent, Work work) {
        this.slices = slices;
        this.work = work;
        trainable = model.layout().trainable();
        BitSet rest = new BitSet();
        rest.set(0, slices.count());
        sent.forEach(rest::andNot);
        worker = Coordinates.of(slices, rest);
        shares = new ArrayList<>();
        for (int stage = 0; stage < sent.size(); stage++) {
            Coordinates held = held(model, stage);
            shares.add(new Share(held, sent.get(stage), held.and(worker)));
        }
    }

    /** Shares of stages that send their own blocks, if the training allows it. */
    public static StageShares of(Training training, PipelinedModel model) {
        return training.blockwise()
                ? apart(model, Slices.of(model.layout()), training.work())
                : together(model);
    }

    /**
     * Shares of stages that receive parameters from the worker and send their whole gradient to it;
     * the worker sends the contribution.
     */
    public static StageShares together(PipelinedModel model) {
        Slices slices = Slices.of(model.layout());
        List<BitSet> none = new ArrayList<>();
        for (int stage = 0; stage < model.stages(); stage++) {
            none.add(new BitSet());
        }
        return new StageShares(model, slices, none, null);
    }

    /**
     * Shares of stages that receive parameters from the servers and send their own blocks.
     *
     * @param work the work, which is {@link Work#blockwise}
     */
    public static StageShares apart(PipelinedModel model, Slices slices, Work work) {
        List<BitSet> sent = new ArrayList<>();
        for (int stage = 0; stage < model.stages(); stage++) {
            Coordinates held = held(model, stage);
            BitSet own = new BitSet();
            held.blocks(slices).stream()
                    .filter(block -> block > 0)
                    .filter(block -> held.hold(slices.offset(block), slices.length(block)))
                    .forEach(own::set);
            sent.add(own);
        }
        return new StageShares(model, slices, sent, work);
    }

    private static Coordinates held(PipelinedModel model, int stage) {
        Layout whole = model.layout();
        return Coordinates.of(whole, model.stage(stage).layout());
    }

    Slices slices() {
        return slices;
    }

    /** The blocks that a stage sends to the servers itself. */
    public BitSet sent(int stage) {
        return (BitSet) shares.get(stage).sent().clone();
    }

    /** True if a stage has parameters of a block and receives them from the servers. */
    public boolean hears(int stage, int block) {
        return heard() && shares.get(stage).held().blocks(slices).get(block);
    }

    Share of(int stage) {
        return shares.get(stage);
    }

    /** The part of the contribution that goes through the worker. */
    Coordinates worker() {
        return worker;
    }

    /**
     * Coordinates held in the slots of workers.
     *
     * @param arrays the process's arrays for assembling models
     */
    public LocalVectors workers(ModelArrays arrays) {
        return new LocalVectors(
                heard() ? Coordinates.NONE : Coordinates.all(slices.dimension()), worker, arrays);
    }

    /** Number of trained coordinates in the worker's part; they come first. */
    public int trainable() {
        return worker.below(trainable);
    }

    private boolean heard() {
        return work != null;
    }

    /** True if a stage keeps what it has sent to the servers for the next round. */
    boolean keeps(int stage) {
        return heard() && work.keepsSent() && !shares.get(stage).sent().isEmpty();
    }

    /**
     * The part that a stage sends.
     *
     * @param before the values that it sent last, null if there are none
     * @param gradient by its parameters; taken over
     */
    float[] sent(int stage, float[] before, float[] gradient) {
        Coordinates held = shares.get(stage).held();
        return heard() ? work.sent(before, gradient, held.below(trainable)) : gradient;
    }

    /**
     * The version whose parameters stages receive from the servers in a round, −1 if their worker
     * sends them.
     */
    public long version(long round) {
        return heard() ? round : -1;
    }

    /** The stages among these that receive their parameters from the servers. */
    public BitSet hearing(BitSet stages) {
        return heard() ? stages : new BitSet();
    }
}
