package dev.levee.operators.rounds.participant;

import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.adversary.ServerLies;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.participant.ModelAssembler.Assembled;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.ModelCombination;
import dev.levee.operators.rounds.topology.ReadingGroup;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Coordinates;
import dev.levee.operators.rounds.vector.Slices;

import java.util.Arrays;
import java.util.TreeMap;

/**
 * Combines the models of several servers with the rule for models, once all or the first q models
 * of a version have arrived. It uses settings of the round if more servers send them than may be
 * Byzantine.
 */
final class CombinedReading implements ModelReading {
    private final Training training;
    private final ReadingGroup group;
    private final ModelAssembler[] assemblers;
    private final ServerLies lies;

    /** Complete models that have not been combined, by version and server. */
    private final TreeMap<Long, TreeMap<Integer, Assembled>> whole = new TreeMap<>();

    private long read = -1;

    CombinedReading(Training training, Slices slices, ReadingGroup group, ModelArrays arrays) {
        this.training = training;
        this.group = group;
        assemblers = new ModelAssembler[group.read().length];
        Coordinates all = Coordinates.all(slices.dimension());
        Arrays.setAll(assemblers, i -> new ModelAssembler(slices, all, arrays, group.read()[i]));
        lies = new ServerLies(training, slices);
    }

    @Override
    public Assembled add(ModelBlock block) {
        int place = Arrays.binarySearch(group.read(), block.shard().server());
        Assembled model = assemblers[place].add(block);
        if (model == null || model.version() <= read) {
            return null;
        }
        TreeMap<Integer, Assembled> models =
                whole.computeIfAbsent(model.version(), version -> new TreeMap<>());
        models.put(block.shard().server(), model);
        if (models.size() < training.topology().quorum(assemblers.length)) {
            return null;
        }
        read = model.version();
        whole.headMap(read, true).clear();
        return combined(
                models.values().toArray(Assembled[]::new),
                models.keySet().stream().mapToInt(Integer::intValue).toArray());
    }

    private Assembled combined(Assembled[] models, int[] servers) {
        Exchange exchange = training.topology().exchange();
        long version = models[0].version();
        float[][] sent = new float[models.length][];
        Arrays.setAll(sent, i -> models[i].parameters());
        float[][] rows = taken(lies.told(sent, servers, version));
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

    /** The models without those that prove that their sender is Byzantine. */
    private float[][] taken(float[][] models) {
        return Arrays.stream(models)
                .filter(model -> training.admission().admits(model, 0, model.length))
                .toArray(float[][]::new);
    }

    /** The settings that more servers send than may be Byzantine. */
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
