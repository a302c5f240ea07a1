package dev.levee.operators.rounds.shard;

import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A second server's copy of a primary's model, within a bounded distance. It also watches the
 * models that the primary sends to participants in its process, so it knows the newest version that
 * it can continue from, and its distance from that version. It keeps references to blocks, which
 * are immutable. Thread-safe; knows no engine.
 */
public final class Replica {
    /**
     * Number of copies kept of a block, because the newest may belong to a version that is not
     * complete.
     */
    private static final int MOST_COPIES = 4;

    /**
     * Number of versions that are watched. More are never open, because each waits for the previous
     * one.
     */
    private static final int MOST_SEEN = 8;

    /** Bound of the rounding error of a distance, relative to a model's norm. */
    private static final double ROUNDING = 1e-5;

    private record Copy(long version, ParameterBlock block) {}

    /**
     * A model that the replica can continue from.
     *
     * @param version the version of the primary's model that it replaces
     * @param behind the age of its oldest block, in versions
     * @param distance Euclidean distance from the primary's model of that version, over trainable
     *     coordinates
     * @param blocks its blocks, in order
     */
    public record Model(long version, long behind, double distance, List<ParameterBlock> blocks) {}

    private final Training training;
    private final Slices slices;
    private final List<ArrayDeque<Copy>> copies = new ArrayList<>();
    private final TreeMap<Long, ModelBlock[]> seen = new TreeMap<>();

    /** Creates an empty replica. */
    public Replica(Training training, Slices slices) {
        this.training = training;
        this.slices = slices;
        for (int block = 0; block < slices.count(); block++) {
            copies.add(new ArrayDeque<>());
        }
    }

    /**
     * Stores an update of a block.
     *
     * @return the new block, to be published now
     * @throws IllegalStateException if it must compute the block itself and lacks earlier updates
     */
    public synchronized ModelBlock keep(ReplicaUpdate update) {
        ModelBlock said = update.model();
        int index = said.header().block();
        ParameterBlock block =
                update.whole()
                        ? new ParameterBlock(said.values(), update.moments(), null)
                        : stepped(copies.get(index).peekLast(), said);
        ArrayDeque<Copy> kept = copies.get(index);
        // A primary that continued from an older version computes newer versions again.
        kept.removeIf(copy -> copy.version() >= said.round());
        kept.addLast(new Copy(said.round(), block));
        if (kept.size() > MOST_COPIES) {
            kept.removeFirst();
        }
        ModelBlock shown = new ModelBlock(said.header(), said.settings(), block.values());
        note(shown);
        return shown;
    }

    private ParameterBlock stepped(Copy before, ModelBlock said) {
        if (before == null || before.version() != said.round() - 1) {
            throw new IllegalStateException(
                    "a replica got the update to version %d, but lacks the one before"
                            .formatted(said.round()));
        }
        return step(before.block(), said.values(), said.header().block(), before.version());
    }

    private ParameterBlock step(ParameterBlock block, float[] aggregate, int index, long version) {
        return block.step(
                training.step().optimizer(),
                aggregate,
                slices.trainable(index),
                version,
                training.step().learningRate().at(version),
                false,
                ParameterBlock.Own.NOTHING);
    }

    /**
     * Records that the primary has sent a block to participants in this process; ignored while the
     * replica is empty.
     */
    public synchronized void seen(ModelBlock model) {
        if (!copies.get(0).isEmpty()) {
            note(model);
        }
    }

    private void note(ModelBlock model) {
        if (!seen.isEmpty() && model.round() < seen.firstKey()) {
            return;
        }
        seen.computeIfAbsent(model.round(), version -> new ModelBlock[slices.count()])[
                        model.header().block()] =
                model;
        Long complete = complete();
        if (complete != null) {
            seen.headMap(complete).clear();
        }
        while (seen.size() > MOST_SEEN) {
            seen.pollFirstEntry();
        }
    }

    /** The newest version of which the primary has sent all blocks, null if there is none. */
    private Long complete() {
        for (Map.Entry<Long, ModelBlock[]> each : seen.descendingMap().entrySet()) {
            boolean all = true;
            for (ModelBlock block : each.getValue()) {
                all &= block != null;
            }
            if (all) {
                return each.getKey();
            }
        }
        return null;
    }

    /** The model that the replica can continue from now; empty unless it has all blocks. */
    public synchronized Optional<Model> model() {
        Long version = complete();
        if (version == null) {
            return Optional.empty();
        }
        List<ParameterBlock> blocks = new ArrayList<>();
        double squares = 0;
        long behind = 0;
        for (int index = 0; index < slices.count(); index++) {
            Copy copy = newest(index, version);
            if (copy == null) {
                return Optional.empty();
            }
            ParameterBlock block = faded(copy, index, version);
            blocks.add(block);
            behind = Math.max(behind, version - copy.version());
            float[] primary = seen.get(version)[index].values();
            for (int i = 0; i < slices.trainable(index); i++) {
                double apart = (double) primary[i] - block.values()[i];
                squares += apart * apart;
            }
        }
        return Optional.of(new Model(version, behind, Math.sqrt(squares), blocks));
    }

    /** The newest copy that is not newer than a version. */
    private Copy newest(int index, long version) {
        Copy newest = null;
        for (Copy each : copies.get(index)) {
            newest = each.version() <= version ? each : newest;
        }
        return newest;
    }

    /**
     * The copy after further updates of zero: each multiplies the velocity by μ and moves the
     * values by the result, so all of them are one geometric series.
     */
    private ParameterBlock faded(Copy copy, int index, long version) {
        ParameterBlock block = copy.block();
        long steps = version - copy.version();
        if (block.moments().length == 0 || steps == 0) {
            return block;
        }
        double momentum = training.step().optimizer().linear().orElseThrow();
        double left = StrictMath.pow(momentum, steps);
        double path =
                training.step().learningRate().at(copy.version())
                        * (momentum * (1 - left) / (1 - momentum));
        float[] values = block.values().clone();
        float[] velocity = new float[values.length];
        for (int i = 0; i < slices.trainable(index); i++) {
            float before = block.moments()[0][i];
            values[i] = (float) (values[i] - path * before);
            velocity[i] = (float) (left * before);
        }
        return new ParameterBlock(values, new float[][] {velocity}, null);
    }

    /**
     * Continues from the state that {@link #model} returns, and discards newer blocks. If that
     * state is too far from the primary, another process has become the replica: the result is
     * empty and the replica discards its blocks.
     */
    public synchronized Optional<Model> takeOver() {
        Optional<Model> model = model().filter(this::near);
        long version = model.map(Model::version).orElse(-1L);
        seen.tailMap(version, false).clear();
        copies.forEach(kept -> kept.removeIf(each -> each.version() > version));
        return model;
    }

    private boolean near(Model model) {
        double squares = 0;
        for (ParameterBlock block : model.blocks()) {
            for (float each : block.values()) {
                squares += (double) each * each;
            }
        }
        return model.distance()
                <= training.topology().standby().distance() + ROUNDING * Math.sqrt(squares);
    }
}
