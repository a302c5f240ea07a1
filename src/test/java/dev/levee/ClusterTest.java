package dev.levee;

import dev.levee.kafka.KafkaTrainingTest;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** What trainings survive, one class after the other on one cluster of processes. */
@Tag("cluster")
class ClusterTest {
    @Nested
    class Trainings extends ClusterTrainingTest {}

    @Nested
    class KafkaTrainings extends KafkaTrainingTest {}
}
