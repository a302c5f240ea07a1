package dev.levee.connectors.kafka.job;

import static java.util.stream.Collectors.toSet;

import dev.levee.connectors.kafka.KafkaAdmin;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.operators.rounds.vector.Slices;

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

/** Creates the missing topics of a run, and checks the existing ones. */
final class RunTopics {
    private static final int MEBIBYTE = 1 << 20;

    /** Maximum record size of models and gradients: a block of 512 KiB, and a header. */
    private static final int BLOCK_RECORD = MEBIBYTE;

    /**
     * Maximum record size of states, which may hold two vectors of the optimizer and the last
     * aggregate.
     */
    private static final int STATE_RECORD = 4 * MEBIBYTE;

    /**
     * Minimum retention of gradients in bytes. With less, brokers would create and delete segments
     * all the time.
     */
    private static final long LEAST_KEPT = 256L * MEBIBYTE;

    private static final int ROUNDS_KEPT = 20;

    /**
     * Retention of scores in bytes: enough for some hundred thousand records of at most a kilobyte.
     */
    private static final long SCORES_KEPT = 64L * MEBIBYTE;

    /** Maximum record size of scores: a batch, as clients send it. */
    private static final int SCORES_RECORD = MEBIBYTE / 16;

    private final KafkaAdmin kafka;
    private final Topics topics;

    RunTopics(KafkaAdmin kafka, Topics topics) {
        this.kafka = kafka;
        this.topics = topics;
    }

    /**
     * The number of partitions, if all topics exist.
     *
     * @throws IllegalArgumentException if the topics have different numbers of partitions; one
     *     sentence
     */
    Optional<Integer> partitions() {
        Map<String, TopicDescription> there = there(topics.all());
        return there.size() == topics.all().size() ? Optional.of(common(there)) : Optional.empty();
    }

    /** Topics that do not exist, in the order of {@link Topics#all}. */
    List<String> missing() {
        Map<String, TopicDescription> there = there(topics.all());
        return topics.all().stream().filter(each -> !there.containsKey(each)).toList();
    }

    /**
     * The topics after preparation.
     *
     * @param partitions number of partitions of each topic
     * @param before topics of every run that existed before
     */
    record Prepared(int partitions, Set<String> before) {}

    /**
     * Creates missing topics, and checks existing ones.
     *
     * @param sums true to prepare the topic of secure sums, too. Devices find their partition in it
     *     by its own number of partitions, and the job by that of the other topics
     * @throws IllegalArgumentException if an existing topic cannot be used; one sentence
     */
    Prepared prepare(TopicPlan plan, Slices slices, int workers, boolean sums) {
        List<String> needed = new ArrayList<>(topics.all());
        if (sums) {
            needed.add(topics.sums());
        }
        Map<String, TopicDescription> there = there(needed);
        int partitions = there.isEmpty() ? plan.partitions(slices.count()) : common(there);
        require(
                plan.partitions() == null || plan.partitions() == partitions,
                "--partitions must be %d, like the existing topics of run %s (%s), got %d",
                partitions,
                topics.name(),
                String.join(", ", there.keySet()),
                plan.partitions());
        check(there.keySet());
        needed.removeAll(there.keySet());
        create(needed, plan, partitions, slices, workers);
        return new Prepared(
                partitions, topics.all().stream().filter(there::containsKey).collect(toSet()));
    }

    /**
     * Creates the topic of scores if it is missing. Scores have no time limit, only one for their
     * size.
     *
     * @throws IllegalArgumentException if the existing topic cannot be used; one sentence
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

    private Set<String> names() {
        return kafka.get(
                kafka.client().listTopics(new ListTopicsOptions().listInternal(false)).names());
    }

    private Map<String, TopicDescription> there(List<String> wanted) {
        Set<String> names = names();
        List<String> own = wanted.stream().filter(names::contains).toList();
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

    /**
     * Checks the settings of an existing topic.
     *
     * @throws IllegalArgumentException if it cannot be used; one sentence
     */
    void check(String topic, Config config) {
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
        String cleanup = config.get(TopicConfig.CLEANUP_POLICY_CONFIG).value();
        boolean versions = topic.equals(topics.models()) || topic.equals(topics.states());
        require(
                versions
                        ? !cleanup.contains(TopicConfig.CLEANUP_POLICY_DELETE) || forever(config)
                        : !cleanup.contains(TopicConfig.CLEANUP_POLICY_COMPACT),
                versions
                        ? "topic %s needs %s=compact, so that brokers keep the newest version, and has %s"
                        : "topic %s needs %s=delete, so that brokers keep all records of a sender,"
                                + " and has %s",
                topic,
                TopicConfig.CLEANUP_POLICY_CONFIG,
                cleanup);
    }

    /** True if brokers delete no records for their age, nor for their number. */
    private static boolean forever(Config config) {
        return config.get(TopicConfig.RETENTION_MS_CONFIG).value().equals("-1")
                && config.get(TopicConfig.RETENTION_BYTES_CONFIG).value().equals("-1");
    }

    private int largest(String topic) {
        if (topic.equals(topics.scores())) {
            return SCORES_RECORD;
        }
        return topic.equals(topics.states()) ? STATE_RECORD : BLOCK_RECORD;
    }

    private void create(
            List<String> missing, TopicPlan plan, int partitions, Slices slices, int workers) {
        List<NewTopic> created = new ArrayList<>();
        for (String topic : missing) {
            Map<String, String> config;
            if (topic.equals(topics.gradients())) {
                config = deleted(plan.retention(), kept(partitions, slices, workers));
            } else if (topic.equals(topics.sums())) {
                config = deleted(plan.retention(), LEAST_KEPT);
            } else {
                config = compacted(topic.equals(topics.states()));
            }
            created.add(
                    new NewTopic(topic, Optional.of(partitions), replication(plan))
                            .configs(config));
        }
        kafka.create(created);
    }

    private static Optional<Short> replication(TopicPlan plan) {
        return plan.replication() < 0 ? Optional.empty() : Optional.of(plan.replication());
    }

    /** Retention of gradients per partition in bytes: enough for {@link #ROUNDS_KEPT} rounds. */
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
     * Settings of compacted topics. Segments are small, because brokers never compact the newest
     * segment. Overwritten records stay for 30 s, so that readers have time to read all blocks of a
     * version.
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
     * Settings of topics with retention. Brokers store records uncompressed, so a record with an
     * extreme compression ratio exceeds the broker's size limit and never reaches the job.
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
