package dev.levee.operators.testing.plain;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Attack;
import dev.levee.gar.Draws;
import dev.levee.gar.Round;
import dev.levee.gar.RuleState;
import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.Admission;
import dev.levee.operators.rounds.training.AttackView;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;
import dev.levee.operators.testing.GradientSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Runs several synchronous servers, each as a {@link PlainLoop}. Synchronous runs of every topology
 * must be bit-identical to it.
 */
public final class PlainServers {
    private final Training training;
    private final Topology topology;
    private final Slices slices;
    private final PlainLoop[] loops;
    private final SynchronousRows[] sources;

    private PlainServers(
            Training training,
            Slices slices,
            float[] initial,
            List<Settings> course,
            GradientSource gradients) {
        this.training = training;
        this.slices = slices;
        topology = training.topology();
        loops = new PlainLoop[topology.servers()];
        Arrays.setAll(loops, server -> new PlainLoop(training, slices, server, initial, null));
        sources = new SynchronousRows[topology.separate() || topology.local() ? loops.length : 1];
        Arrays.setAll(sources, any -> new SynchronousRows(training, course, slices, gradients));
    }

    /** The final models of servers that exchange models, in order, for a run without changes. */
    public static List<float[]> run(Training training, GradientSource gradients) {
        long last = training.topology().version(training.rounds(), training.rounds());
        return run(
                training,
                Slices.of(training.model().layout()),
                training.model().initialParameters(training.seed()),
                LongStream.rangeClosed(0, last)
                        .mapToObj(version -> training.settings(0, version))
                        .toList(),
                gradients);
    }

    /** The final models of servers that exchange models, in order. */
    public static List<float[]> run(
            Training training,
            Slices slices,
            float[] initial,
            List<Settings> course,
            GradientSource gradients) {
        PlainServers servers = new PlainServers(training, slices, initial, course, gradients);
        for (int version = 0; version < course.size() - 1; version++) {
            servers.round(version, course.get(version));
        }
        return servers.models();
    }

    private List<float[]> models() {
        return Arrays.stream(loops).map(PlainLoop::parameters).toList();
    }

    private void round(long version, Settings settings) {
        Moment moment = training.moment(version);
        if (moment.ofWorkers()) {
            gradients(version, settings);
            return;
        }
        float[][] said = new float[loops.length][];
        Arrays.setAll(said, server -> loops[server].offered(moment));
        for (int listener = 0; listener < loops.length; listener++) {
            PlainLoop.Rows heard = heard(version, listener, said);
            loops[listener].round(version, training.settings(listener, version), heard);
        }
    }

    private void gradients(long version, Settings settings) {
        if (topology.local()) {
            locally(version);
            return;
        }
        if (topology.separate()) {
            for (int server = 0; server < loops.length; server++) {
                float[] model = loops[server].parameters();
                loops[server].round(
                        version, settings, sources[server].rows(version, worker -> model));
            }
            return;
        }
        List<float[]> models = models();
        float[] together =
                topology.readersCombine() ? combined(training, slices, models, version) : null;
        PlainLoop.Rows rows =
                sources[0].rows(
                        version, worker -> together == null ? models.get(worker) : together);
        for (PlainLoop loop : loops) {
            loop.round(version, settings, rows);
        }
    }

    private void locally(long version) {
        for (int node = 0; node < loops.length; node++) {
            float[] model = loops[node].parameters();
            Settings settings = training.settings(node, version);
            PlainLoop.Rows own = sources[node].rows(version, settings.cohort(), worker -> model);
            loops[node].round(version, settings, own);
        }
    }

    private PlainLoop.Rows heard(long version, int listener, float[][] said) {
        int[] neighbours = topology.heardBy(listener, training.seed(), version);
        float[][] sent = lied(training, slices, said, neighbours, listener, version);
        sent[listener] = said[listener];
        List<float[]> rows = new ArrayList<>();
        List<Integer> ids = new ArrayList<>();
        List<Double> weights = new ArrayList<>();
        for (int server : neighbours) {
            if (taken(training, sent[server])) {
                rows.add(sent[server]);
                ids.add(training.serverId(server));
                weights.add(topology.weight(listener, server, training.seed()));
            }
        }
        int f = topology.exchange().byzantine() - (neighbours.length - rows.size());
        if (f < 0) {
            throw new RunFailedException("more than f faults in round " + version);
        }
        return new PlainLoop.Rows(
                rows.toArray(float[][]::new),
                f,
                ids.stream().mapToInt(Integer::intValue).toArray(),
                weights.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private static boolean taken(Training training, float[] row) {
        boolean finite = true;
        for (float value : row) {
            finite &= Float.isFinite(value);
        }
        return finite || training.admission().nonFinite() == Admission.NonFinite.KEEP;
    }

    /** The combination of all servers' models that workers use. */
    private static float[] combined(
            Training training, Slices slices, List<float[]> models, long version) {
        int[] all = IntStream.range(0, models.size()).toArray();
        return combined(training, slices, models, all, version);
    }

    /**
     * The combination of some servers' models that workers use.
     *
     * @param models the models of all servers, null for servers without one
     * @param read the servers whose models the worker has read, in order
     */
    public static float[] combined(
            Training training, Slices slices, List<float[]> models, int[] read, long version) {
        Exchange exchange = training.topology().exchange();
        float[][] sent = lied(training, slices, models.toArray(float[][]::new), read, -1, version);
        float[][] rows =
                Arrays.stream(read)
                        .mapToObj(server -> sent[server])
                        .filter(row -> taken(training, row))
                        .toArray(float[][]::new);
        int f = exchange.byzantine() - (read.length - rows.length);
        return new Aggregator(exchange.rule(), f, training.seed())
                .resume(version, RuleState.NONE)
                .aggregate(rows);
    }

    /**
     * The messages of all servers; those of Byzantine servers come after the others.
     *
     * @param listener the server that hears them, −1 if all hear the same
     */
    private static float[][] lied(
            Training training,
            Slices slices,
            float[][] said,
            int[] heard,
            int listener,
            long version) {
        Attack attack = training.topology().exchange().liars().attack();
        int liars = training.topology().exchange().liars().count();
        float[][] sent = said.clone();
        if (attack == null) {
            return sent;
        }
        List<Integer> honest = new ArrayList<>();
        IntStream.of(heard).filter(server -> server < said.length - liars).forEach(honest::add);
        Round round =
                new Round(
                        listener < 0 ? said.length : heard.length,
                        listener < 0 ? liars : heard.length - honest.size(),
                        version,
                        attack.equivocates()
                                ? Draws.key(training.seed(), listener)
                                : training.seed());
        if (!AttackView.works(attack, round, honest.size())) {
            return sent;
        }
        if (attack.equivocates() && honest.remove((Integer) listener)) {
            honest.add(0, listener);
        }
        float[][] seen = honest.stream().map(server -> said[server]).toArray(float[][]::new);
        for (int liar = said.length - liars; liar < said.length; liar++) {
            if (said[liar] != null) {
                sent[liar] =
                        attack.forgeRow(
                                training.serverId(liar),
                                round,
                                said[liar],
                                seen,
                                slices.dimension(),
                                slices.blockSize());
            }
        }
        return sent;
    }
}
