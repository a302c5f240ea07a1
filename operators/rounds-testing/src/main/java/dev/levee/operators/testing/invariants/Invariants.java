package dev.levee.operators.testing.invariants;

import static dev.levee.operators.testing.BrokenInvariantException.require;

import dev.levee.operators.rounds.Control;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.PartialSum;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.plan.Performance;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.scoring.Scoring;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.rounds.vector.Slices;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.Drive;
import dev.levee.operators.testing.plain.PlainLoop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Checks the invariants of the round protocol at every event: versions without gaps, the same rows
 * and map for every block, no gradient counted twice, one report per round, exact counts, and
 * parameters that follow from the rows. A restore also resets this object. One class because all
 * invariants use the same history, which is restored as a whole.
 */
public final class Invariants {
    private final Drive plan;
    private final int server;
    private final Training training;
    private final Slices slices;
    private final BlockWatch[] blocks;
    private RoundWatch rounds;
    private final List<float[]> models = new ArrayList<>();
    private final List<float[][]> rows = new ArrayList<>();
    private final List<double[]> weights = new ArrayList<>();

    /** Weights of contributions, by sender and by the version that they answer. */
    private final Map<Sent, Double> sent = new HashMap<>();

    private final List<RoundReport> reports = new ArrayList<>();
    private final long[] answered;
    private final long[] answers;
    private SampleWatch samples;
    private Instruction current;

    private record Sent(int worker, long base) {}

    /** Contributions of workers, if they may be added up before they reach a shard. */
    private final Map<Part, GradientBlock> values = new HashMap<>();

    private record Part(int worker, long round, int block) {}

    public Invariants(Drive plan, int server) {
        this.plan = plan;
        this.server = server;
        training = plan.training();
        slices = plan.slices();
        blocks = new BlockWatch[slices.count()];
        Arrays.setAll(
                blocks,
                b ->
                        new BlockWatch(
                                training, plan.run(), new ShardId(server, b), slices.length(b)));
        rounds = new RoundWatch(training, server, blocks.length);
        models.add(plan.initial().clone());
        answered = new long[training.plan().participants(training)];
        Arrays.fill(answered, -1);
        answers = new long[training.plan().participants(training)];
        samples = new SampleWatch(training);
    }

    public Invariants copy() {
        Invariants copy = new Invariants(plan, server);
        Arrays.setAll(copy.blocks, b -> blocks[b].copy());
        copy.rounds = rounds.copy();
        copy.samples = samples.copy();
        copy.models.clear();
        models.forEach(m -> copy.models.add(m.clone()));
        rows.forEach(r -> copy.rows.add(Stream.of(r).map(float[]::clone).toArray(float[][]::new)));
        copy.weights.addAll(weights);
        copy.sent.putAll(sent);
        copy.values.putAll(values);
        copy.reports.addAll(reports);
        System.arraycopy(answered, 0, copy.answered, 0, answered.length);
        System.arraycopy(answers, 0, copy.answers, 0, answers.length);
        return copy;
    }

    /** Reports of the rounds of workers. */
    public List<RoundReport> reports() {
        return IntStream.range(0, reports.size())
                .filter(version -> training.moment(version).ofWorkers())
                .mapToObj(reports::get)
                .toList();
    }

    /** The model of a version that all blocks have. */
    public float[] model(long version) {
        return version < models.size() ? models.get((int) version) : null;
    }

    /** The settings of all rounds, and of the model after the last. */
    public List<Settings> course() {
        return LongStream.rangeClosed(0, rounds.round()).mapToObj(rounds::settings).toList();
    }

    /** Records the job's number of subtasks at a start. */
    public void runsOn(int subtasks) {
        rounds.course().runsOn(subtasks);
    }

    /** Records a control, and checks whether the coordinator accepts it as newer. */
    public void controlled(Control control, boolean news) {
        require(
                rounds.course().control(control) == news,
                () -> "the coordinator says " + news + " to " + control);
    }

    /** A shard is about to follow an instruction. */
    public void following(Instruction instruction) {
        current = instruction;
    }

    /** A shard publishes its block, either again or as the next version. */
    public void published(int block, ModelBlock model) {
        long version = model.round();
        long before = blocks[block].version();
        if (version == before + 1
                && current instanceof Instruction.Close decide
                && decide.round() == before) {
            applied(block, decide, model);
            return;
        }
        require(
                version == before || version < before && model.pulled(),
                () -> "block " + block + " publishes version " + version + " after " + before);
        require(
                model.settings().equals(rounds.settings(version))
                        && Arrays.equals(
                                model.values(), slices.cut(models.get((int) version), block)),
                () -> "block " + block + " offers something else for version " + version);
    }

    private void applied(int block, Instruction.Close decide, ModelBlock model) {
        int round = (int) decide.round();
        String difference = RoundWatch.same(decide, rounds.decision(round));
        require(difference == null, () -> "block " + block + ": " + difference);
        require(
                model.settings().equals(decide.next()),
                () -> "block " + block + " opens round " + (round + 1) + " with other settings");
        float[][] taken = blocks[block].close(decide);
        if (models.size() == round + 1) {
            models.add(new float[slices.dimension()]);
            rows.add(new float[taken.length][slices.dimension()]);
            double[] weigh = new double[taken.length];
            Arrays.setAll(weigh, i -> sent.get(new Sent(decide.rows()[i], decide.bases()[i])));
            weights.add(weigh);
        }
        slices.put(model.values(), block, models.get(round + 1));
        require(
                Arrays.stream(taken).allMatch(Objects::nonNull),
                () -> "block " + block + " lacks a row in round " + round);
        for (int i = 0; i < taken.length; i++) {
            slices.put(taken[i], block, rows.get(round)[i]);
        }
    }

    /** A worker sends a block that may be added up with others. */
    public void sends(GradientBlock block) {
        values.put(
                new Part(block.header().sender(), block.header().round(), block.header().block()),
                block);
    }

    /** Checks a shard's answer to a partial sum, which must be the same for all its members. */
    private void judgedTogether(int block, PartialSum partial, List<ShardReport> answer) {
        int arrived = 0;
        int dropped = 0;
        for (GradientBlock member : partial.members()) {
            Header header = member.header();
            GradientBlock sent = values.get(new Part(header.sender(), header.round(), block));
            Rejection expected = blocks[block].judge(sent);
            arrived += expected == null ? 1 : 0;
            dropped +=
                    answer.contains(
                                    new ShardReport.Dropped(
                                            header.round(),
                                            new ShardId(server, block),
                                            header.sender(),
                                            expected))
                            ? 1
                            : 0;
            noteWeight(sent);
        }
        int members = partial.members().size();
        boolean together =
                answer.size() == 1
                        && answer.get(0) instanceof ShardReport.Combined combined
                        && combined.rows().size() == members;
        require(
                together ? arrived == members : dropped == members,
                () -> "block " + block + " answers " + answer + " to the sum of " + members);
    }

    /** A shard has answered a gradient. */
    public void judged(int block, GradientBlock gradient, List<ShardReport> answer) {
        if (gradient.partial() != null) {
            judgedTogether(block, gradient.partial(), answer);
            return;
        }
        if (blocks[block].keeps(gradient)) {
            require(answer.isEmpty(), () -> "block " + block + " answers before time: " + answer);
            noteWeight(gradient);
            return;
        }
        Rejection expected = blocks[block].judge(gradient);
        ShardReport report = answer.size() == 1 ? answer.get(0) : null;
        Rejection actual = report instanceof ShardReport.Dropped d ? d.reason() : null;
        boolean taken = report instanceof ShardReport.Arrived;
        require(
                expected == actual && taken == (expected == null),
                () ->
                        "block %s should answer %s to %s but says %s"
                                .formatted(
                                        block,
                                        expected == null ? "ARRIVED" : expected,
                                        gradient.header(),
                                        answer));
        if (taken) {
            noteWeight(gradient);
        }
    }

    private void noteWeight(GradientBlock gradient) {
        sent.put(
                new Sent(gradient.header().sender(), gradient.header().round()), gradient.weight());
    }

    /** A report is about to reach the coordinator. */
    public void reporting(ShardReport report) {
        rounds.reported(report);
    }

    /** The timeout is about to expire. */
    public void timeout() {
        rounds.timeout();
    }

    /** The coordinator has handled its input. */
    public void settled(Performance performance) {
        require(!rounds.tooManyFaults(), () -> "more than f faults in round " + rounds.round());
        require(
                !rounds.overdue(),
                () -> "round " + rounds.round() + " is complete but does not close");
        require(
                rounds.course().plausible(performance, rounds.settings(rounds.round())),
                () -> "the coordinator claims " + performance);
    }

    /** True if the run may fail now. */
    public boolean mayFail() {
        return rounds.tooManyFaults();
    }

    public void instructed(Instruction instruction) {
        String wrong = rounds.instructed(instruction);
        require(wrong == null, () -> wrong);
    }

    public void finished(Moment moment, RoundReport report) {
        int round = reports.size();
        require(
                training.moment(round).equals(moment) && report.round() == moment.iteration(),
                () -> "report of " + moment + " after " + round);
        for (BlockWatch block : blocks) {
            require(
                    block.version() > round,
                    () -> "round " + round + " reported before it was applied");
        }
        Instruction.Close decide = rounds.decision(round);
        int[] selected =
                decide instanceof Instruction.Decide mapped
                        ? IntStream.range(0, decide.rows().length)
                                .filter(i -> mapped.map().uses(i))
                                .map(i -> decide.rows()[i])
                                .toArray()
                        : decide.rows();
        require(
                Arrays.equals(report.rows(), decide.rows())
                        && Arrays.equals(report.selected(), selected)
                        && Arrays.equals(report.faults(), rounds.faults(round)),
                () -> "the report of round " + round + " differs from its decision");
        reports.add(report);
    }

    /** A worker starts to compute. */
    public void computing(Work.Task task) {
        int worker = task.worker();
        require(
                task.round() > answered[worker],
                () -> "worker " + worker + " answers round " + task.round() + " twice");
        require(
                task.consumed() == samples.before(task, answers[worker]),
                () -> "worker " + worker + " draws from sample " + task.consumed());
    }

    /**
     * A worker starts to compute on a model that this server has offered.
     *
     * @param model the expected model, made of the models that it reads
     */
    public void offers(Work.Task task, float[] model) {
        int worker = task.worker();
        require(
                task.round() < models.size() && Arrays.equals(task.parameters(), model),
                () -> "worker " + worker + " has a torn model of round " + task.round());
        require(
                task.settings().equals(rounds.settings(task.round()))
                        && task.settings().asks(worker),
                () -> "worker " + worker + " takes part in " + task);
    }

    /** A worker has answered. */
    public void computed(Work.Task task) {
        require(samples.take(task), () -> "samples are taken twice, also by " + task);
        answered[task.worker()] = task.round();
        answers[task.worker()]++;
    }

    /** A contribution is about to be scored. */
    public void scoring(Scoring.Task task) {
        require(
                task.version() == training.oracle().version(task.round())
                        && task.round() < models.size()
                        && Arrays.equals(task.model(), models.get((int) task.version())),
                () -> "the oracle has a torn model of round " + task.round());
        require(
                task.learningRate() == rounds.settings(task.round()).learningRate(),
                () -> "the oracle steps otherwise in round " + task.round());
        for (BlockWatch block : blocks) {
            require(
                    block.holds(task.round(), task.worker(), task.contribution(), slices),
                    () -> "the oracle scores what worker " + task.worker() + " did not send");
        }
    }

    /** Checks the end of a run. */
    public void ended(List<WorkerCounts> counts, float[] parameters) {
        require(
                Arrays.stream(blocks).allMatch(b -> b.version() == rounds.round())
                        && rounds.settings(rounds.round()).stop(),
                () -> "the run stopped at " + Arrays.toString(versions()));
        require(reports.size() == rounds.round(), () -> "there are " + reports.size() + " reports");
        checkExchanges();
        for (int worker = 0; worker <= training.ids(); worker++) {
            checkCounts(worker, counts.get(worker));
        }
        float[] replayed =
                PlainLoop.run(
                        training,
                        slices,
                        server,
                        plan.initial(),
                        course(),
                        (round, p) ->
                                new PlainLoop.Rows(
                                        rows.get((int) round),
                                        rounds.settings(round).f() - rounds.faults(round).length,
                                        rounds.decision(round).rows(),
                                        weights.get((int) round)),
                        plan.gradients()::score);
        require(
                Arrays.equals(replayed, parameters),
                () -> "the parameters do not follow from the rows of the rounds");
    }

    private void checkExchanges() {
        ExchangeWatch watch = new ExchangeWatch(training, server);
        for (int round = 0; round < reports.size(); round++) {
            String wrong =
                    watch.wrong(
                            round,
                            rounds.decision(round).rows(),
                            rounds.faults(round).length,
                            rows.get(round),
                            models.get(round + 1));
            require(wrong == null, () -> wrong);
        }
    }

    private long[] versions() {
        return Arrays.stream(blocks).mapToLong(BlockWatch::version).toArray();
    }

    private void checkCounts(int worker, WorkerCounts counts) {
        long accepted = reports.stream().filter(r -> contains(r.rows(), worker)).count();
        long selected = reports.stream().filter(r -> contains(r.selected(), worker)).count();
        require(
                counts.accepted() == accepted && counts.selected() == selected,
                () -> "worker " + worker + " should have " + accepted + " accepted, has " + counts);
        // A report that is repeated after its round was forgotten counts as another late row.
        Disturbances disturbances = plan.disturbances();
        boolean exactLate = !disturbances.overtaking() || disturbances.duplicates() == 0;
        for (Rejection reason : Rejection.values()) {
            // Only the round's decision shows that the rule refused a row.
            boolean refused = reason == Rejection.LOW_SCORE && training.rule().refuses();
            long expected =
                    refused ? accepted - selected : rounds.rejected(worker)[reason.ordinal()];
            long actual = counts.rejected()[reason.ordinal()];
            require(
                    expected == actual || (reason == Rejection.LATE && !exactLate),
                    () ->
                            "worker " + worker + " has " + actual + " " + reason + ", not "
                                    + expected);
        }
    }

    private static boolean contains(int[] workers, int worker) {
        return Arrays.stream(workers).anyMatch(w -> w == worker);
    }
}
