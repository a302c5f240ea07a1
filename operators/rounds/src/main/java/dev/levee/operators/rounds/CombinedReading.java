package dev.levee.operators.rounds;

import dev.levee.gar.Aggregator;
import dev.levee.gar.BlockKernels;
import dev.levee.gar.Round;
import dev.levee.gar.RuleState;
import dev.levee.operators.rounds.ModelAssembler.Assembled;

import java.util.Arrays;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Models of several servers, combined by the rule for models once all of one version are there.
 * What servers say about the round counts if more of them say so than may lie.
 */
final class CombinedReading implements ModelReading {
    private final Training training;
    private final ReadingGroup group;
    private final ModelAssembler[] assemblers;
    private final AttackPlan lies;
    private final Forger forger;
    private final TreeMap<Long, Assembled[]> whole = new TreeMap<>();

    CombinedReading(Training training, Slices slices, ReadingGroup group) {
        this.training = training;
        this.group = group;
        assemblers = new ModelAssembler[group.read().length];
        Arrays.setAll(assemblers, i -> new ModelAssembler(slices));
        lies = AttackPlan.ofServers(training, group.read()[0], 0);
        forger = new Forger(lies.attack(), slices);
    }

    @Override
    public Assembled add(ModelBlock block) {
        int place = Arrays.binarySearch(group.read(), block.shard().server());
        Assembled model = assemblers[place].add(block);
        if (model == null) {
            return null;
        }
        Assembled[] all =
                whole.computeIfAbsent(model.version(), v -> new Assembled[assemblers.length]);
        all[place] = model;
        if (Arrays.stream(all).anyMatch(Objects::isNull)) {
            return null;
        }
        whole.headMap(model.version(), true).clear();
        return combined(all);
    }

    private Assembled combined(Assembled[] models) {
        Exchange exchange = training.topology().exchange();
        long version = models[0].version();
        float[][] sent = new float[models.length][];
        Arrays.setAll(sent, i -> models[i].parameters());
        float[][] rows = taken(forged(sent, version));
        int f = exchange.byzantine() - (sent.length - rows.length);
        if (f < 0) {
            throw new RunFailedException(
                    "%d servers sent models with NaN or infinity in round %d, more than f = %d"
                            .formatted(
                                    sent.length - rows.length,
                                    training.moment(version).iteration(),
                                    exchange.byzantine()));
        }
        float[] combined =
                new Aggregator(exchange.rule(), f, training.seed())
                        .resume(version, RuleState.NONE)
                        .aggregate(rows);
        return new Assembled(version, agreed(models, exchange.byzantine()), combined);
    }

    /** Without what proves its sender a liar. */
    private float[][] taken(float[][] models) {
        return training.admission().nonFinite() == Admission.NonFinite.KEEP
                ? models
                : Arrays.stream(models)
                        .filter(model -> BlockKernels.finite(model, 0, model.length))
                        .toArray(float[][]::new);
    }

    /** What more servers say than may lie. */
    private static Settings agreed(Assembled[] models, int byzantine) {
        for (Assembled each : models) {
            long same =
                    Arrays.stream(models)
                            .filter(other -> other.settings().equals(each.settings()))
                            .count();
            if (same > byzantine) {
                return each.settings();
            }
        }
        throw new IllegalStateException(
                "no %d servers agree on the settings of version %d"
                        .formatted(byzantine + 1, models[0].version()));
    }

    /** The models as lying servers send them, who have seen the honest ones. */
    private float[][] forged(float[][] models, long version) {
        if (!lies.onTheWay()) {
            return models;
        }
        int honest = models.length - lies.attackers();
        float[][] seen = Arrays.copyOf(models, honest);
        Round round = lies.forging(version, Header.EVERYONE);
        float[][] sent = models.clone();
        for (int liar = honest; liar < models.length; liar++) {
            sent[liar] = forger.forge(lies.first() + liar, round, models[liar], seen);
        }
        return sent;
    }
}
