package dev.levee.operators.testing.invariants;

import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.Training;

import java.util.Arrays;

/** Checks the invariants of every exchange of one server, with any slow or Byzantine servers. */
final class ExchangeWatch {
    private final Training training;
    private final int server;

    ExchangeWatch(Training training, int server) {
        this.training = training;
        this.server = server;
    }

    /** The violated invariant of a finished exchange, or null. */
    String wrong(long version, int[] ids, int faults, float[][] rows, float[] model) {
        if (training.moment(version).ofWorkers()) {
            return null;
        }
        Topology topology = training.topology();
        int heard = topology.heardBy(server, training.seed(), version).length;
        int fewest = Math.min(topology.quorum(heard), heard - faults);
        if (ids.length < fewest) {
            return "exchange %d closed with %d models, not %d"
                    .formatted(version, ids.length, fewest);
        }
        if (Arrays.binarySearch(ids, training.serverId(server)) < 0) {
            return "exchange %d closed without the server's own model".formatted(version);
        }
        boolean ofModels = training.moment(version).stage() == Moment.Stage.MODELS;
        return ofModels && standsLies(topology.exchange(), ids)
                ? outside(version, honest(ids, rows), model)
                : null;
    }

    /** True if the median of these rows lies between honest ones in each coordinate. */
    private boolean standsLies(Exchange exchange, int[] ids) {
        long liars = Arrays.stream(ids).filter(this::lies).count();
        return exchange.rule().name().equals("median")
                && ids.length > 2 * liars
                && !lies(training.serverId(server));
    }

    private boolean lies(int id) {
        return training.topology().lies(id - training.serverId(0));
    }

    private float[][] honest(int[] ids, float[][] rows) {
        float[][] honest = new float[rows.length][];
        int count = 0;
        for (int i = 0; i < rows.length; i++) {
            if (!lies(ids[i])) {
                honest[count++] = rows[i];
            }
        }
        return Arrays.copyOf(honest, count);
    }

    private static String outside(long version, float[][] honest, float[] model) {
        for (int i = 0; i < model.length; i++) {
            float low = Float.POSITIVE_INFINITY;
            float high = Float.NEGATIVE_INFINITY;
            for (float[] row : honest) {
                low = Math.min(low, row[i]);
                high = Math.max(high, row[i]);
            }
            if (model[i] < low || model[i] > high) {
                return "exchange %d moves coordinate %d out of what honest servers say"
                        .formatted(version, i);
            }
        }
        return null;
    }
}
