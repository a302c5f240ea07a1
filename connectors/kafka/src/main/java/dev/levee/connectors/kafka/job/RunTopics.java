package dev.levee.connectors.kafka.job;

import dev.levee.connectors.kafka.KafkaAdmin;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.operators.rounds.Slices;

import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The topics of one run: makes those that are missing, and checks those that are there. */
final class RunTopics {
    private static final int MEBIBYTE = 1 << 20;

    /** A record of the wire format has a block of 512 KiB and a header. */
    private static final int BLOCK_RECORD = MEBIBYTE;

    /** A state may have the optimizer's two vectors and the last aggregate. */
    private static final int STATE_RECORD = 4 * MEBIBYTE;

    /** Bytes kept at least: for fewer, a broker would make and delete segments all the time. */
    private static final long LEAST_KEPT = 256L * MEBIBYTE;

    private static final int ROUNDS_KEPT = 20;

    /** The size up to which scores are kept: some hundred thousand, of a kilobyte at most. */
    private static final long SCORES_KEPT = 64L * MEBIBYTE;

    /** A batch of scores, as clients send them. */
    private static final int SCORES_RECORD = MEBIBYTE / 16;

    private final KafkaAdmin kafka;
    private final Topics topics;

    RunTopics(KafkaAdmin kafka, Topics topics) {
        this.kafka = kafka;
        this.topics = topics;
    }

    /**
     * The number of partitions, if all topics are there.
     *
     * @throws IllegalArgumentException if they do not have the same number; one sentence
     */
    Optional<Integer> partitions() {
        Map<String, TopicDescription> there = there();
        return there.size() == topics.all().size() ? Optional.of(common(there)) : Optional.empty();
    }

    /** Topics that a broker has not, in the order of {@link Topics#all}. */
    List<String> missing() {
        Map<String, TopicDescription> there = there();
        return topics.all().stream().filter(each -> !there.containsKey(each)).toList();
    }

    /**
     * The present state.
     *
     * @param partitions of each topic
     * @param before topics that were there before
     */
    record Prepared(int partitions, Set<String> before) {}

    /**
     * Makes what is missing, and checks what is there.
     *
     * @throws IllegalArgumentException if what is there cannot be used; one sentence
     */
    Prepared prepare(TopicPlan plan, Slices slices, int workers) {
        Map<String, TopicDescription> there = there();
        int partitions = there.isEmpty() ? plan.partitions(slices.count()) : common(there);
        require(
                plan.partitions() == null || plan.partitions() == partitions,
                "--partitions must be %d, like the existing topics of run %s, got %d",
                partitions,
                topics.name(),
                plan.partitions());
        check(there.keySet());
        create(there.keySet(), plan, partitions, slices, workers);
        return new Prepared(partitions, there.keySet());
    }

    /**
     * Makes the topic of scores if it is missing; they are kept as long as the run may need them.
     *
     * @throws IllegalArgumentException if what is there cannot be used; one sentence
     */
    void prepareScores(TopicPlan plan) {
        String topic = topics.scores();
        if (names().contains(topic)) {
            check(Set.of(topic));
            return;
        }
        Map<String, String> config = common(SCORES_RECORD);
        config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
        config.put(TopicConfig.COMPRESSION_TYPE_CONFIG, "uncompressed");
        config.put(TopicConfig.RETENTION_MS_CONFIG, "-1");
        config.put(TopicConfig.RETENTION_BYTES_CONFIG, String.valueOf(SCORES_KEPT));
        config.put(TopicConfig.SEGMENT_BYTES_CONFIG, String.valueOf(SCORES_KEPT / 4));
        NewTopic scores = new NewTopic(topic, Optional.of(1), replication(plan)).configs(config);
        kafka.create(List.of(scores));
    }

    /**
     * Makes the topic of secure sums if it is missing.
     *
     * @throws IllegalArgumentException if what is there cannot be used; one sentence
     */
    void prepareSums(TopicPlan plan, int partitions) {
        String topic = topics.sums();
        if (names().contains(topic)) {
            check(Set.of(topic));
            return;
        }
        NewTopic sums =
                new NewTopic(topic, Optional.of(partitions), replication(plan))
                        .configs(deleted(plan.retention(), LEAST_KEPT));
        kafka.create(List.of(sums));
    }

    private Set<String> names() {
        return kafka.get(
                kafka.client().listTopics(new ListTopicsOptions().listInternal(false)).names());
    }

    private Map<String, TopicDescription> there() {
        Set<String> names = names();
        List<String> own = topics.all().stream().filter(names::contains).toList();
        return new TreeMap<>(kafka.get(kafka.client().describeTopics(own).allTopicNames()));
    }

    private static int common(Map<String, TopicDescription> there) {
        int common = -1;
        String first = null;
        for (Map.Entry<String, TopicDescription> each : there.entrySet()) {
            int partitions = each.getValue().partitions().size();
            require(
                    common < 0 || common == partitions,
                    "%s has %d partitions and %s has %d, but all topics of a run need the same"
                            + " number",
                    first,
                    common,
                    each.getKey(),
                    partitions);
            common = partitions;
            first = each.getKey();
        }
        return common;
    }

    private void check(Set<String> there) {
        List<ConfigResource> resources =
                there.stream()
                        .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                        .toList();
        Map<ConfigResource, Config> configs =
                kafka.get(kafka.client().describeConfigs(resources).all());
        configs.forEach((resource, config) -> check(resource.name(), config));
    }

    private void check(String topic, Config config) {
        String time = config.get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG).value();
        require(
                time.equals("LogAppendTime"),
                "topic %s needs %s=LogAppendTime, so that senders cannot choose a record's"
                        + " timestamp, and has %s",
                topic,
                TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                time);
        int largest = largest(topic);
        int allowed = Integer.parseInt(config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value());
        require(
                allowed >= largest,
                "topic %s needs %s of at least %d, so that blocks fit in, and has %d",
                topic,
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                largest,
                allowed);
    }

    private int largest(String topic) {
        if (topic.equals(topics.scores())) {
            return SCORES_RECORD;
        }
        return topic.equals(topics.states()) ? STATE_RECORD : BLOCK_RECORD;
    }

    private void create(
            Set<String> there, TopicPlan plan, int partitions, Slices slices, int workers) {
        List<NewTopic> missing = new ArrayList<>();
        for (String topic : topics.all()) {
            if (!there.contains(topic)) {
                Map<String, String> config =
                        topic.equals(topics.gradients())
                                ? deleted(plan.retention(), kept(partitions, slices, workers))
                                : compacted(topic.equals(topics.states()));
                missing.add(
                        new NewTopic(topic, Optional.of(partitions), replication(plan))
                                .configs(config));
            }
        }
        kafka.create(missing);
    }

    private static Optional<Short> replication(TopicPlan plan) {
        return plan.replication() < 0 ? Optional.empty() : Optional.of(plan.replication());
    }

    /** Bytes of gradients kept per partition: those of some rounds. */
    private static long kept(int partitions, Slices slices, int workers) {
        long blocks = (slices.count() + partitions - 1) / partitions;
        long record = Frame.HEADER + (long) slices.length(0) * Float.BYTES;
        return Math.max(LEAST_KEPT, ROUNDS_KEPT * blocks * workers * record);
    }

    private static Map<String, String> common(int largest) {
        Map<String, String> config = new HashMap<>();
        config.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
        config.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, String.valueOf(largest));
        return config;
    }

    /**
     * Segments are small, since brokers never compact the newest one. What is overwritten stays for
     * 30 s, so that a reader has that long to read all blocks of a version.
     */
    private static Map<String, String> compacted(boolean states) {
        Map<String, String> config = common(states ? STATE_RECORD : BLOCK_RECORD);
        config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
        config.put(TopicConfig.SEGMENT_BYTES_CONFIG, String.valueOf(32 * MEBIBYTE));
        config.put(TopicConfig.SEGMENT_MS_CONFIG, millis(Duration.ofMinutes(1)));
        config.put(TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, "0.1");
        config.put(TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG, millis(Duration.ofSeconds(30)));
        return config;
    }

    /**
     * Stored as they come out of a check by the broker, not as they came in: what a sender has
     * compressed beyond all measure is refused there and never inflated here.
     */
    private static Map<String, String> deleted(Duration retention, long bytes) {
        Map<String, String> config = common(BLOCK_RECORD);
        config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
        config.put(TopicConfig.COMPRESSION_TYPE_CONFIG, "uncompressed");
        config.put(TopicConfig.RETENTION_MS_CONFIG, millis(retention));
        config.put(TopicConfig.RETENTION_BYTES_CONFIG, String.valueOf(bytes));
        config.put(TopicConfig.SEGMENT_BYTES_CONFIG, String.valueOf(64 * MEBIBYTE));
        config.put(
                TopicConfig.SEGMENT_MS_CONFIG,
                String.valueOf(Math.max(1, retention.toMillis() / 4)));
        return config;
    }

    private static String millis(Duration duration) {
        return String.valueOf(duration.toMillis());
    }

    private static void require(boolean condition, String message, Object... arguments) {
        if (!condition) {
            throw new IllegalArgumentException(message.formatted(arguments));
        }
    }
}
