package dev.levee.operators.testing.served;

import static dev.levee.operators.testing.BrokenInvariantException.require;

import dev.levee.connectors.kafka.job.VersionAssembly.Version;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.testing.BrokenInvariantException;
import dev.levee.operators.testing.Drive;
import dev.levee.operators.testing.plain.PlainLoop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * Checks the invariants of a run with outside workers on its topics: the run ends, no contribution
 * counts twice, counts are exact, reports of a round never contradict each other, and the model
 * follows from the records of its rounds.
 */
final class ServedPromises {
    private record Sent(int worker, long base) {}

    private final Drive plan;
    private final Training training;
    private final List<RoundReport> rounds = new ArrayList<>();
    private final Set<Sent> counted = new HashSet<>();
    private final long[] accepted;
    private final long[] selected;

    ServedPromises(Drive plan) {
        this.plan = plan;
        training = plan.training();
        accepted = new long[training.ids()];
        selected = new long[training.ids()];
    }

    /** Checks a published version against its coordinator's memory, which tells how it was made. */
    void published(VersionTopic topic) {
        long version = topic.newest();
        if (version == 0) {
            return;
        }
        Version newest = topic.version(version);
        RoundReport round = newest.memories().get(0).last();
        require(
                round != null && round.round() == version - 1,
                () -> "version " + version + " says that it was made by " + round);
        rounds.add(round);
        for (int i = 0; i < round.rows().length; i++) {
            Sent row = new Sent(round.rows()[i], base(round, i));
            require(counted.add(row), () -> row + " counts again in round " + round.round());
            accepted[row.worker()]++;
        }
        Arrays.stream(round.selected()).forEach(worker -> selected[worker]++);
        for (int worker = 0; worker < accepted.length; worker++) {
            WorkerCounts counts = newest.memories().get(0).counts().get(worker);
            require(
                    counts.accepted() == accepted[worker] && counts.selected() == selected[worker],
                    () ->
                            "version %s has %s where rows say %s and %s"
                                    .formatted(
                                            version,
                                            counts,
                                            Arrays.toString(accepted),
                                            Arrays.toString(selected)));
        }
    }

    private static long base(RoundReport round, int row) {
        return round.bases().length == 0 ? round.round() : round.bases()[row];
    }

    private static boolean same(RoundReport one, RoundReport other) {
        return Arrays.equals(one.rows(), other.rows())
                && Arrays.equals(one.selected(), other.selected())
                && Arrays.equals(one.faults(), other.faults())
                && Arrays.equals(one.bases(), other.bases());
    }

    /** Checks the end of a run. */
    void ended(
            VersionTopic topic,
            List<List<GradientBlock>> gradients,
            TreeMap<Long, RoundReport> finished) {
        require(
                topic.newest() == training.rounds() && topic.version(topic.newest()).last(),
                () -> "the run stands still at version " + topic.newest());
        for (RoundReport round : rounds) {
            RoundReport told = finished.get(round.round());
            require(
                    told != null && same(told, round),
                    () ->
                            "round %s was published as %s, told as %s"
                                    .formatted(round.round(), round, told));
        }
        List<float[]> models =
                topic.versions().stream().map(version -> version.model(plan.slices(), 0)).toList();
        List<Settings> course =
                topic.versions().stream()
                        .map(version -> version.blocks().get(0).model().settings())
                        .toList();
        float[] replayed =
                PlainLoop.run(
                        training,
                        plan.slices(),
                        plan.initial(),
                        course,
                        (round, parameters) -> {
                            require(
                                    Arrays.equals(parameters, models.get((int) round)),
                                    () -> "version " + round + " does not follow from its rows");
                            return rows(rounds.get((int) round), course, gradients);
                        });
        require(
                Arrays.equals(replayed, models.get(models.size() - 1)),
                () -> "the last version does not follow from its rows");
    }

    private PlainLoop.Rows rows(
            RoundReport round, List<Settings> course, List<List<GradientBlock>> gradients) {
        int n = round.rows().length;
        float[][] values = new float[n][];
        double[] weights = new double[n];
        for (int i = 0; i < n; i++) {
            int worker = round.rows()[i];
            long base = base(round, i);
            List<GradientBlock> parts =
                    gradients.stream().map(log -> first(log, worker, base)).toList();
            values[i] = plan.slices().whole(block -> parts.get(block).values());
            weights[i] = parts.get(0).weight();
        }
        int f = course.get((int) round.round()).f() - round.faults().length;
        return new PlainLoop.Rows(values, f, round.rows(), weights);
    }

    /** A worker's first answer to a version. */
    private GradientBlock first(List<GradientBlock> log, int worker, long base) {
        return log.stream()
                .filter(
                        each ->
                                each.header().run() == plan.run()
                                        && each.header().sender() == worker
                                        && each.header().baseVersion() == base)
                .findFirst()
                .orElseThrow(
                        () ->
                                new BrokenInvariantException(
                                        "worker " + worker + " never answered version " + base));
    }
}
