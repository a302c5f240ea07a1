package dev.levee.operators.rounds;

import dev.levee.gar.BlockKernels;
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
    private final ServerLies lies;
    private final TreeMap<Long, Assembled[]> whole = new TreeMap<>();

    CombinedReading(Training training, Slices slices, ReadingGroup group) {
        this.training = training;
        this.group = group;
        assemblers = new ModelAssembler[group.read().length];
        Arrays.setAll(assemblers, i -> new ModelAssembler(slices));
        lies = new ServerLies(training, slices);
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
        float[][] rows = taken(lies.told(sent, version));
        int faults = sent.length - rows.length;
        float[] combined =
                new ModelCombination(exchange, training.seed())
                        .aggregate(rows, faults, version)
                        .orElseThrow(
                                () ->
                                        new RunFailedException(
                                                "%d servers sent models with NaN or infinity in round %d, more than f = %d"
                                                        .formatted(
                                                                faults,
                                                                training.moment(version)
                                                                        .iteration(),
                                                                exchange.byzantine())));
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
}
