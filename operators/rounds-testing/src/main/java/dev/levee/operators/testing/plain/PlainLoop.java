package dev.levee.operators.testing.plain;

import dev.levee.gar.BlockKernels;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;
import dev.levee.gar.block.WeightedSum;
import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.Position;
import dev.levee.operators.rounds.scoring.Scoring;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Runs a training as a loop over rounds in one thread, without shards, coordinator or messages.
 * Results of the round protocol must be bit-identical to it.
 */
public final class PlainLoop {
    /**
     * The gradients of one round.
     *
     * @param values one row per gradient, ordered by worker
     * @param f Byzantine rows to tolerate among them
     * @param ids the senders
     * @param weights the weight of each row, for rules that take weights
     */
    public record Rows(float[][] values, int f, int[] ids, double[] weights) {
        /** Rows of the first workers, with equal weights. */
        public Rows(float[][] values, int f) {
            this(values, f, IntStream.range(0, values.length).toArray());
        }

        /** Rows with equal weights. */
        public Rows(float[][] values, int f, int[] ids) {
            this(values, f, ids, IntStream.of(ids).mapToDouble(id -> 1).toArray());
        }

        /** The weights, none if all are 1. */
        private double[] unlike() {
            return Arrays.stream(weights).allMatch(each -> each == 1) ? new double[0] : weights;
        }
    }

    /** The source of a round's gradients. */
    @FunctionalInterface
    public interface RowSource {
        /** The gradients of a round on these parameters, which are not to be changed. */
        Rows rows(long round, float[] parameters);
    }

    private final Training training;
    private final Slices slices;
    private final int server;
    private final Optimizer optimizer;
    private final ToDoubleFunction<Scoring.Task> scores;
    private float[] parameters;
    private float[][] moments;
    private float[] previous;

    /** The parameters on which contributions are scored. */
    private float[] base;

    private RuleState state = RuleState.NONE;

    PlainLoop(
            Training training,
            Slices slices,
            int server,
            float[] initial,
            ToDoubleFunction<Scoring.Task> scores) {
        this.training = training;
        this.slices = slices;
        this.server = server;
        this.scores = scores;
        optimizer = training.step().optimizer();
        parameters = initial.clone();
        moments = optimizer.initial(initial.length);
        previous = new float[initial.length];
    }

    /**
     * Runs all rounds with a rule that needs no scores, and returns the final flat vector.
     *
     * @throws UnsupportedOperationException if the rule needs scores
     */
    public static float[] run(Training training, Slices slices, float[] initial, RowSource source) {
        return run(training, slices, initial, course(training), source);
    }

    /** Runs rounds with these settings and a rule that needs no scores. */
    public static float[] run(
            Training training,
            Slices slices,
            float[] initial,
            List<Settings> course,
            RowSource source) {
        return run(
                training,
                slices,
                initial,
                course,
                source,
                task -> {
                    throw new UnsupportedOperationException("no scores for " + task);
                });
    }

    /** The settings of all rounds of a run without changes, and of its final model. */
    static List<Settings> course(Training training) {
        return LongStream.rangeClosed(0, training.rounds())
                .mapToObj(round -> training.plan().at(training, round))
                .toList();
    }

    /**
     * Runs rounds with these settings; the last settings are those of the final model.
     *
     * @param scores scores contributions, if the rule needs scores
     */
    public static float[] run(
            Training training,
            Slices slices,
            float[] initial,
            List<Settings> course,
            RowSource source,
            ToDoubleFunction<Scoring.Task> scores) {
        return run(training, slices, 0, initial, course, source, scores);
    }

    /** Runs the rounds of one of several servers. */
    public static float[] run(
            Training training,
            Slices slices,
            int server,
            float[] initial,
            List<Settings> course,
            RowSource source,
            ToDoubleFunction<Scoring.Task> scores) {
        PlainLoop loop = new PlainLoop(training, slices, server, initial, scores);
        for (int round = 0; round < course.size() - 1; round++) {
            loop.round(round, course.get(round), source.rows(round, loop.parameters));
        }
        return loop.parameters;
    }

    /** The current model. */
    float[] parameters() {
        return parameters;
    }

    /** The vector that this server sends to the others. */
    float[] offered(Moment moment) {
        return moment.stage() == Moment.Stage.AGGREGATES ? previous : parameters;
    }

    void round(long number, Settings settings, Rows rows) {
        Moment moment = training.moment(number);
        boolean sums =
                moment.ofWorkers()
                        && training.admission()
                                .sums(training.rule(server, number), settings.workers());
        float[] aggregate = sums ? mean(rows) : aggregate(number, settings, rows);
        if (moment.stage() == Moment.Stage.MODELS) {
            parameters = aggregate;
            return;
        }
        if (training.moment(number + 1).stage() == Moment.Stage.AGGREGATES) {
            previous = aggregate;
            return;
        }
        Position next = Position.zeros(parameters.length, moments.length);
        int stepped = optimizer.stepsBuffers() ? slices.dimension() : slices.trainable();
        optimizer.step(
                new Position(parameters, moments),
                aggregate,
                stepped,
                moment.iteration(),
                settings.learningRate(),
                next);
        System.arraycopy(aggregate, stepped, next.x(), stepped, parameters.length - stepped);
        parameters = next.x();
        moments = next.moments();
        previous = aggregate;
    }

    /** The exact mean, added from the last row to the first: the order must not matter. */
    private float[] mean(Rows rows) {
        WeightedSum sum = new WeightedSum(parameters.length);
        double weights = 0;
        for (int i = rows.values().length - 1; i >= 0; i--) {
            sum.add(rows.values()[i], rows.weights()[i]);
        }
        // Weights are added in order, as the protocol does.
        for (double each : rows.weights()) {
            weights += each;
        }
        float[] mean = new float[parameters.length];
        sum.over(weights, mean);
        return mean;
    }

    private float[] aggregate(long number, Settings settings, Rows rows) {
        int n = rows.values().length;
        Rule rule = training.rule(server, number).among(settings.workers());
        Round context =
                new Round(n, rows.f(), training.drawing(number), training.seed())
                        .withWorkers(rows.ids())
                        .withWeights(rule.takesWeights() ? rows.unlike() : new double[0])
                        .withScores(scores(number, settings, rows));
        Moment moment = training.moment(number);
        float[] reference = moment.stage() == Moment.Stage.MODELS ? parameters : previous;
        RuleState carried = moment.ofWorkers() ? state : RuleState.NONE;
        Look look = rule.look();
        RowMap map = RowMap.identity(n, n);
        Step step =
                rule.decide(0, map, look(look, map, rows, reference, context), context, carried);
        for (int phase = 1; step instanceof Step.LookAgain again; phase++) {
            map = again.map();
            look = again.look();
            step =
                    rule.decide(
                            phase,
                            map,
                            look(look, map, rows, reference, context),
                            context,
                            carried);
        }
        Step.Reduce reduce = (Step.Reduce) step;
        state = moment.ofWorkers() ? reduce.state() : state;
        float[] aggregate = new float[parameters.length];
        for (int block = 0; block < slices.count(); block++) {
            float[] part = new float[slices.length(block)];
            float[][] cut = cut(rows, block);
            int trainable = slices.trainable(block);
            BlockKernels.reduce(
                    reduce.map(),
                    reduce.reduction(),
                    cut,
                    cut(reference, block),
                    look.references(),
                    0,
                    trainable,
                    part);
            if (trainable < part.length) {
                boolean covered = rule.coversBuffers();
                boolean mean = covered || rule.minimumRows(1) == 1;
                BlockKernels.reduce(
                        covered ? reduce.map() : RowMap.identity(n, n),
                        mean ? reduce.reduction() : new Reduction.Median(false),
                        cut,
                        null,
                        List.of(),
                        trainable,
                        part.length,
                        part);
            }
            System.arraycopy(part, 0, aggregate, slices.offset(block), part.length);
        }
        return aggregate;
    }

    private double[] scores(long number, Settings settings, Rows rows) {
        if (training.oracle() != null && training.oracle().version(number) == number) {
            base = parameters;
        }
        double[] scored = new double[training.rule().scores(rows.values().length)];
        Arrays.setAll(
                scored,
                i ->
                        scores.applyAsDouble(
                                new Scoring.Task(
                                        0,
                                        -1,
                                        number,
                                        settings.learningRate(),
                                        training.oracle().version(number),
                                        base,
                                        rows.values()[i])));
        return scored;
    }

    private LookResult look(Look look, RowMap map, Rows rows, float[] reference, Round round) {
        if (look.nothing()) {
            return LookResult.nothing(look.points(map.outputs()));
        }
        LookResult[] shares = new LookResult[slices.count()];
        Arrays.setAll(
                shares,
                block ->
                        BlockKernels.look(
                                look,
                                map,
                                cut(rows, block),
                                cut(reference, block),
                                round.span(slices.offset(block), slices.trainable()),
                                slices.trainable(block)));
        return BlockKernels.sum(shares);
    }

    private float[][] cut(Rows rows, int block) {
        float[][] cut = new float[rows.values().length][];
        Arrays.setAll(cut, i -> cut(rows.values()[i], block));
        return cut;
    }

    private float[] cut(float[] vector, int block) {
        int from = slices.offset(block);
        return Arrays.copyOfRange(vector, from, from + slices.length(block));
    }
}
