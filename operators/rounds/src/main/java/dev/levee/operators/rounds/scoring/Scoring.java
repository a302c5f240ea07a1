package dev.levee.operators.rounds.scoring;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.participant.ModelAssembler;
import dev.levee.operators.rounds.training.Oracle;
import dev.levee.operators.rounds.vector.Slices;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The oracle of one server in one subtask. It assembles the contributions of some workers from rows
 * that the shards have accepted, and requests a score for each on the model that it answers. It has
 * no state in checkpoints: after a restart, shards offer the rows of the open round again, with
 * their model and the model for scoring. A repeated score is the same, and the coordinator uses it
 * once. Single-threaded; knows no engine.
 */
public final class Scoring {
    /**
     * One contribution to be scored.
     *
     * @param learningRate γ, step size of the round
     * @param version the version of the model that it is scored on: the round's, or that of an
     *     earlier round ({@link Oracle#every})
     * @param model x, that model; one array for all tasks scored on it, not to be changed
     * @param contribution v, not to be changed
     */
    public record Task(
            int server,
            int worker,
            long round,
            double learningRate,
            long version,
            float[] model,
            float[] contribution) {}

    /** Receives the output. */
    public interface Output {
        /** Starts a computation; its result goes to the coordinator. */
        void score(Task task);
    }

    private static final class Partial {
        private final float[][] rows;
        private int missing;

        private Partial(int blocks) {
            rows = new float[blocks][];
            missing = blocks;
        }
    }

    private final long run;
    private final Slices slices;
    private final int server;
    private final Oracle oracle;
    private final ModelAssembler assembler;
    private final Output output;
    private final Map<Integer, Partial> partials = new TreeMap<>();
    private ModelAssembler.Assembled model;

    /** The newest model on which rounds may be scored, from its own round on. */
    private ModelAssembler.Assembled base;

    /** The round of the rows: the newest round with a row. */
    private long round = -1;

    /**
     * Creates an oracle without rows or models.
     *
     * @param server the server whose contributions it scores
     */
    public Scoring(Oracle oracle, long run, Slices slices, int server, Output output) {
        this.oracle = oracle;
        this.run = run;
        this.slices = slices;
        this.server = server;
        this.assembler = new ModelAssembler(slices);
        this.output = output;
    }

    /** Handles a block of the server's model. */
    public void model(ModelBlock block) {
        ModelAssembler.Assembled newest = block.header().run() == run ? assembler.add(block) : null;
        if (newest != null) {
            model = newest;
            base = oracle.version(newest.version()) == newest.version() ? newest : base;
            partials.forEach(this::scoreIfReady);
        }
    }

    /** Handles a row that its shard has accepted; a repeated row changes nothing. */
    public void row(GradientBlock row) {
        long of = row.header().round();
        if (of < round) {
            return;
        }
        if (of > round) {
            // A shard opens a round only after the decision of the previous one.
            partials.clear();
            round = of;
        }
        int worker = row.header().sender();
        Partial partial = partials.computeIfAbsent(worker, w -> new Partial(slices.count()));
        int block = row.header().block();
        if (partial.missing > 0 && partial.rows[block] == null) {
            partial.rows[block] = row.values();
            partial.missing--;
            scoreIfReady(worker, partial);
        }
    }

    private void scoreIfReady(int worker, Partial partial) {
        boolean scored = partial.missing == 0 && partial.rows[0] == null;
        boolean answers =
                model != null
                        && model.version() == round
                        && base != null
                        && base.version() == oracle.version(round);
        if (partial.missing > 0 || scored || !answers) {
            return;
        }
        Task task =
                new Task(
                        server,
                        worker,
                        round,
                        model.settings().learningRate(),
                        base.version(),
                        base.parameters(),
                        joined(partial.rows));
        // Empty rows without missing blocks mark contributions that were already passed on.
        Arrays.fill(partial.rows, null);
        output.score(task);
    }

    private float[] joined(float[][] rows) {
        return rows.length == 1 ? rows[0] : slices.whole(block -> rows[block]);
    }
}
