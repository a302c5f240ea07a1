package dev.levee.operators.rounds;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Attack;
import dev.levee.gar.BlockKernels;
import dev.levee.gar.Round;
import dev.levee.gar.RuleState;
import dev.levee.operators.rounds.ModelAssembler.Assembled;

import java.util.Arrays;
import java.util.Objects;
import java.util.TreeMap;

/**
 * How participants read the models of a group of servers: of one server as they are, of several
 * combined by the rule for models, once all of one version are there. What servers say about the
 * round counts if more of them say so than may lie.
 */
final class ModelReading {
    private final Training training;
    private final Slices slices;
    private final ReadingGroup group;
    private final ModelAssembler[] assemblers;
    private final AttackPlan lies;
    private final TreeMap<Long, Assembled[]> whole = new TreeMap<>();

    ModelReading(Training training, Slices slices, ReadingGroup group) {
        this.training = training;
        this.slices = slices;
        this.group = group;
        assemblers = new ModelAssembler[group.read().length];
        Arrays.setAll(assemblers, i -> new ModelAssembler(slices));
        lies = AttackPlan.ofServers(training, group.read()[0], 0);
    }

    /** Adds a block; returns the model to work at if that made one complete, else null. */
    Assembled add(ModelBlock block) {
        int place = Arrays.binarySearch(group.read(), block.shard().server());
        Assembled model = assemblers[place].add(block);
        if (model == null || assemblers.length == 1) {
            return model;
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
        Attack attack = lies.attack();
        int honest = models.length - lies.attackers();
        float[][] seen =
                attack.sees() == Attack.Sees.HONEST
                        ? Arrays.copyOf(models, honest)
                        : new float[0][];
        Round round = new Round(models.length, lies.attackers(), version, lies.seed());
        float[][] sent = models.clone();
        Parts parts = new Parts(slices, attack.whole());
        for (int liar = honest; liar < models.length; liar++) {
            sent[liar] = new float[slices.dimension()];
            for (int part = 0; part < parts.count(); part++) {
                forge(part, parts, round, lies.first() + liar, models[liar], seen, sent[liar]);
            }
        }
        return sent;
    }

    private void forge(
            int part,
            Parts parts,
            Round round,
            int liar,
            float[] own,
            float[][] seen,
            float[] sent) {
        int first = parts.first(part);
        int last = first + parts.blocks() - 1;
        int from = slices.offset(first);
        int to = slices.offset(last) + slices.length(last);
        float[][] honest = new float[seen.length][];
        Arrays.setAll(honest, i -> Arrays.copyOfRange(seen[i], from, to));
        float[] mine =
                lies.attack().sees() == Attack.Sees.OWN ? Arrays.copyOfRange(own, from, to) : null;
        float[] lie = lies.attack().forge(liar, first, round, mine, honest, to - from);
        System.arraycopy(lie, 0, sent, from, lie.length);
    }
}
