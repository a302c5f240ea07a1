package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.versions.NewestVersion;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.ToldServers;
import dev.levee.gar.BlockKernels;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.topology.Contraction;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.ModelCombination;
import dev.levee.operators.rounds.topology.Reading;
import dev.levee.operators.rounds.vector.Slices;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Combines what several servers publish as one version. It waits for all servers, up to a timeout.
 * Faulty servers are those that are silent until then, and those whose model has the wrong size,
 * NaN or infinity. With k faulty servers, the rule gets n − k models and tolerates f − k further
 * faults; if k > f, it keeps waiting. Settings that servers publish with their models count if more
 * than f servers agree. A worker that reads a single server uses that server's model at once, but
 * needs the same agreement on the settings. Single-threaded.
 */
final class ServerReading {
    /** The settings that servers must agree on. */
    private record Word(
            Settings settings, int dealtTo, int evaluator, String work, ToldServers servers) {
        private static Word of(Frame frame) {
            return new Word(
                    frame.settings(),
                    frame.participants(),
                    frame.evaluator(),
                    frame.work(),
                    frame.toldServers().orElseThrow());
        }
    }

    private final TrustedServers trust;
    private final Slices slices;
    private final long seed;
    private final LongSupplier nanos;
    private NewestVersion.Found waiting;
    private long due;

    /**
     * Creates an instance that has read nothing.
     *
     * @param seed seed of rules that draw random numbers
     * @param nanos a clock for measuring spans
     */
    ServerReading(TrustedServers trust, Slices slices, long seed, LongSupplier nanos) {
        this.trust = trust;
        this.slices = slices;
        this.seed = seed;
        this.nanos = nanos;
    }

    /**
     * Takes what servers have published of a version.
     *
     * @return the combined model, if all servers have published
     * @throws IllegalStateException if more than f servers have models of another size, or describe
     *     the servers differently from this worker's options; one sentence
     */
    Optional<ReadModel> take(NewestVersion.Found said) {
        boolean other =
                waiting == null
                        || waiting.run() != said.run()
                        || waiting.version() != said.version();
        waiting = said;
        due = other ? nanos.getAsLong() + trust.patience().toNanos() : due;
        List<List<Frame>> models = fitting(said);
        boolean ready = single() || byServer(said).size() == trust.count();
        return ready ? made(models) : Optional.empty();
    }

    /** Nanoseconds until {@link #giveUp} is due; {@link Long#MAX_VALUE} if nothing is awaited. */
    long untilDue() {
        return waiting == null || single() ? Long.MAX_VALUE : Math.max(0, due - nanos.getAsLong());
    }

    private boolean single() {
        return trust.only() != TrustedServers.ALL;
    }

    /**
     * Combines a model without the silent servers, if these are few enough.
     *
     * @return empty to keep waiting
     */
    Optional<ReadModel> giveUp() {
        due = nanos.getAsLong() + trust.patience().toNanos();
        return made(fitting(waiting));
    }

    /** The reason why {@link #giveUp} returned no model; one sentence. */
    String reason() {
        int[] heard = byServer(waiting).keySet().stream().mapToInt(each -> each).toArray();
        String silent =
                String.join(
                        ", ",
                        IntStream.range(0, trust.count())
                                .filter(server -> Arrays.binarySearch(heard, server) < 0)
                                .mapToObj(server -> "s" + server)
                                .toList());
        return silent.isEmpty()
                ? "no %d servers agree on version %d"
                        .formatted(trust.byzantine() + 1, waiting.version())
                : "too many servers are silent or at fault about version %d, with f = %d; nothing has come from %s"
                        .formatted(waiting.version(), trust.byzantine(), silent);
    }

    private static Map<Integer, List<Frame>> byServer(NewestVersion.Found said) {
        Map<Integer, List<Frame>> servers = new TreeMap<>();
        for (Frame frame : said.frames()) {
            servers.computeIfAbsent(frame.server(), server -> new ArrayList<>()).add(frame);
        }
        return servers;
    }

    /** The models of the right size, server by server. */
    private List<List<Frame>> fitting(NewestVersion.Found said) {
        Map<Integer, List<Frame>> servers = byServer(said);
        List<List<Frame>> fitting = servers.values().stream().filter(this::fits).toList();
        if (servers.size() - fitting.size() > trust.byzantine()) {
            List<Frame> misfit =
                    servers.values().stream().filter(each -> !fits(each)).findFirst().orElseThrow();
            throw new IllegalStateException(
                    "the servers have models of %d parameters, but --model has %d"
                            .formatted(
                                    misfit.stream().mapToLong(Frame::length).sum(),
                                    slices.dimension()));
        }
        return fitting;
    }

    private boolean fits(List<Frame> model) {
        return model.size() == slices.count()
                && model.stream().allMatch(each -> each.length() == slices.length(each.block()));
    }

    private Optional<ReadModel> made(List<List<Frame>> models) {
        Frame word = agreed(models);
        if (word == null) {
            return Optional.empty();
        }
        ToldServers told = word.toldServers().orElseThrow();
        if (told.byzantine() != trust.byzantine()) {
            throw new IllegalStateException(
                    "the servers run with --byzantine-servers %d, and this worker with %d"
                            .formatted(told.byzantine(), trust.byzantine()));
        }
        if (single() != (told.reading() == Reading.PER_SERVER)) {
            throw new IllegalStateException(
                    single()
                            ? "--worker-models per-server is for servers that run with it too"
                            : "the servers run with --worker-models per-server, and this worker without");
        }
        Optional<float[]> values = single() ? own(models, word) : combined(models, told);
        return values.map(each -> read(each, word));
    }

    private Optional<float[]> combined(List<List<Frame>> models, ToldServers told) {
        Exchange exchange =
                new Exchange(
                        Rules.parse(told.aggregator()),
                        told.byzantine(),
                        told.every(),
                        Contraction.NONE,
                        Attackers.NONE);
        long version = waiting.version();
        return new ModelCombination(exchange, seed)
                .of(
                        models.stream().map(this::values).toArray(float[][]::new),
                        trust.count(),
                        // Servers also count exchanges as versions, and seed rules by this count.
                        version + version / told.every());
    }

    /**
     * The model of this worker's server, if its settings are the agreed ones. The final model may
     * come from any server.
     */
    private Optional<float[]> own(List<List<Frame>> models, Frame word) {
        boolean last = word.settings().stop();
        return models.stream()
                .filter(each -> last || each.get(0).server() == trust.only())
                .filter(each -> Word.of(each.get(0)).equals(Word.of(word)))
                .map(this::values)
                .filter(each -> last || BlockKernels.finite(each, 0, each.length))
                .findFirst();
    }

    private ReadModel read(float[] values, Frame word) {
        List<ModelBlock> blocks = new ArrayList<>();
        for (int block = 0; block < slices.count(); block++) {
            blocks.add(
                    new ModelBlock(
                            Header.model(waiting.run(), waiting.version(), new ShardId(0, block)),
                            word.settings(),
                            slices.cut(values, block)));
        }
        ReadModel model = ReadModel.of(waiting, blocks, word);
        waiting = null;
        return model;
    }

    /** A frame with settings on which more than f servers agree; null if there is none. */
    private Frame agreed(List<List<Frame>> models) {
        for (List<Frame> each : models) {
            Word word = Word.of(each.get(0));
            long same = models.stream().filter(m -> Word.of(m.get(0)).equals(word)).count();
            if (same > trust.byzantine()) {
                return each.get(0);
            }
        }
        return null;
    }

    private float[] values(List<Frame> model) {
        return slices.whole(block -> model.get(block).model().values());
    }
}
