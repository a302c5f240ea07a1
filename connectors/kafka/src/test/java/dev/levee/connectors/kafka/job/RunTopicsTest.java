package dev.levee.connectors.kafka.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.versions.NewestVersion;

import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** Topics that were there before the run. */
class RunTopicsTest {
    private static final Topics TOPICS = new Topics("run");

    private static void check(String topic, String cleanup, String retention) {
        Config config =
                new Config(
                        List.of(
                                new ConfigEntry("message.timestamp.type", "LogAppendTime"),
                                new ConfigEntry("max.message.bytes", "4194304"),
                                new ConfigEntry("cleanup.policy", cleanup),
                                new ConfigEntry("retention.ms", retention),
                                new ConfigEntry("retention.bytes", "-1")));
        new RunTopics(null, TOPICS).check(topic, config);
    }

    @ParameterizedTest
    @CsvSource({
        "run.models, 'compact,delete', compact, the newest version",
        "run.models, delete, compact, the newest version",
        "run.states, delete, compact, the newest version",
        "run.gradients, compact, delete, all records of a sender",
        "run.gradients, 'compact,delete', delete, all records of a sender",
        "run.sums, compact, delete, all records of a sender",
        "run.scores, compact, delete, all records of a sender"
    })
    void refusesATopicOfWhichBrokersDeleteWhatTheRunNeeds(
            String topic, String cleanup, String needed, String kept) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> check(topic, cleanup, "604800000"))
                .withMessage(
                        "topic %s needs cleanup.policy=%s, so that brokers keep %s, and has %s"
                                .formatted(topic, needed, kept, cleanup));
    }

    @ParameterizedTest
    @CsvSource({
        "run.models, compact, 604800000",
        "run.models, delete, -1",
        "run.states, compact, 604800000",
        "run.gradients, delete, 604800000"
    })
    void takesATopicThatKeepsWhatTheRunNeeds(String topic, String cleanup, String retention) {
        assertThatCode(() -> check(topic, cleanup, retention)).doesNotThrowAnyException();
    }

    @Test
    void aRunOfWhichOneTopicIsEmptyDoesNotBeginAnewByItself() {
        Optional<NewestVersion.Found> found =
                Optional.of(new NewestVersion.Found(7, 12, List.of(), 0, Map.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KafkaSetup.checkBoth(TOPICS, found, Optional.empty()))
                .withMessage(
                        "topic run.models has version 12 of run run, but topic run.states has no"
                                + " version that this job published; pass --new to start over, or"
                                + " another --run to keep it");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KafkaSetup.checkBoth(TOPICS, Optional.empty(), found))
                .withMessageStartingWith("topic run.states has version 12 of run run, but");
        KafkaSetup.checkBoth(TOPICS, found, found);
        KafkaSetup.checkBoth(TOPICS, Optional.empty(), Optional.empty());
    }

    @Test
    void gradientsAreReadThatArriveWhileTheJobLooksForTheBeginning() {
        // Each answer is followed by a new record; none is as new as the version.
        AtomicLong end = new AtomicLong(5);
        Map<Integer, Long> offsets =
                KafkaSetup.offsets(
                        spec -> {
                            long now = end.getAndIncrement();
                            boolean latest = spec instanceof OffsetSpec.LatestSpec;
                            return new TreeMap<>(Map.of(0, latest ? now : -1, 1, 3L));
                        },
                        OffsetSpec.forTimestamp(1));
        assertThat(offsets).isEqualTo(Map.of(0, 5L, 1, 3L));
    }
}
