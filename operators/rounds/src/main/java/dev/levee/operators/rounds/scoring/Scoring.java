package dev.levee.operators.rounds.scoring;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.participant.ModelAssembler;
import dev.levee.operators.rounds.training.Oracle;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The oracle of one server in one subtask: puts the contributions of some workers together from the
 * rows that the shards have accepted, and has each scored on the model that it answers. Remembers
 * nothing over a restart: shards keep the rows of the open round and offer them again with their
 * model and the one that rows are scored on, a score is the same the second time, and the
 * coordinator takes it once. Single-threaded; knows no engine.
 */
public final class Scoring {
    /**
     * One contribution to be scored.
     *
     * @param learningRate γ, step size of the round
     * @param version the version of the model that it is scored on: the round's, unless that of an
     *     earlier round serves ({@link Oracle#every})
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
        /** Starts a computation, whose result is the coordinator's. */
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

    /** The newest model that serves the rounds from its own on. */
    private ModelAssembler.Assembled base;

    /** The round that the rows are of, the newest of which a row has come. */
    private long round = -1;

    /**
     * An oracle without rows or models.
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

    /** Takes a block of the server's model. */
    public void model(ModelBlock block) {
        ModelAssembler.Assembled newest = block.header().run() == run ? assembler.add(block) : null;
        if (newest != null) {
            model = newest;
            base = oracle.version(newest.version()) == newest.version() ? newest : base;
            partials.forEach(this::scoreIfReady);
        }
    }

    /** Takes a row that its shard has accepted; one that came before changes nothing. */
    public void row(GradientBlock row) {
        long of = row.header().round();
        if (of < round) {
            return;
        }
        if (of > round) {
            // A shard opens a round only when the one before it has been decided.
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
        // Empty rows without missing blocks mark what was given away.
        Arrays.fill(partial.rows, null);
        output.score(task);
    }

    private float[] joined(float[][] rows) {
        if (rows.length == 1) {
            return rows[0];
        }
        float[] contribution = new float[slices.dimension()];
        for (int block = 0; block < rows.length; block++) {
            slices.put(rows[block], block, contribution);
        }
        return contribution;
    }
}
