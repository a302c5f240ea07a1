package dev.levee.benchmarks.siege;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.worker.ExternalWorker;
import dev.levee.connectors.kafka.worker.WorkerListener;
import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.training.TrainingBuilder;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Random;

/** Runs a worker whose clock is up to two days wrong, by a different amount at each reading. */
final class JumpingWorker {
    private static final int HOURS = 48;

    private JumpingWorker() {}

    private static final class Jumping extends Clock {
        private final Random random;

        private Jumping(long seed) {
            random = new Random(seed);
        }

        @Override
        public ZoneId getZone() {
            return ZoneId.of("UTC");
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException("nobody asks a worker for its time zone");
        }

        @Override
        public Instant instant() {
            int hours;
            synchronized (random) {
                hours = random.nextInt(2 * HOURS + 1) - HOURS;
            }
            return Instant.now().plus(Duration.ofHours(hours));
        }
    }

    private record Silent() implements WorkerListener {
        @Override
        public void waiting(String why) {}

        @Override
        public void model(long run, long version, Settings settings) {}

        @Override
        public void answered(long run, long round, double loss) {}

        @Override
        public void resent(long run, long round) {}
    }

    /**
     * Runs the worker until the run is over.
     *
     * @param args number of the worker, address of the broker, name of the run, directory of keys,
     *     file of the worker's state
     */
    public static void main(String[] args) {
        int id = Integer.parseInt(args[0]);
        KeyDirectory keys = new KeyDirectory(Path.of(args[3]));
        Dataset data = Datasets.open(Workload.DATA, Datasets.Split.TRAIN);
        TrainingBuilder training =
                new TrainingBuilder(
                        "jumping",
                        Workload.DATA,
                        Models.open(Workload.MODEL, data.shape(), data.classes()),
                        Rules.parse("average"),
                        1,
                        0);
        ExternalWorker.Options options =
                new ExternalWorker.Options(
                        id,
                        keys.signing(KeyDirectory.name(id)),
                        keys.verifying(KeyDirectory.JOB),
                        training.build(),
                        Duration.ofSeconds(2),
                        Path.of(args[4]));
        try (ExternalWorker worker =
                new ExternalWorker(
                        new KafkaAddress(args[1], Map.of()),
                        new Topics(args[2]),
                        options,
                        new Silent(),
                        new Jumping(id))) {
            worker.run();
        }
    }
}
