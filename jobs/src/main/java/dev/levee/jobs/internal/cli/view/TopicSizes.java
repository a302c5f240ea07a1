package dev.levee.jobs.internal.cli.view;

import dev.levee.jobs.cluster.LocalKafka;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;

/**
 * The size of a topic.
 *
 * @param partitions number of partitions
 * @param endOffsets sum over partitions of the offset that the next record gets
 * @param bytes bytes on disk
 */
public record TopicSizes(String name, int partitions, long endOffsets, long bytes) {
    /**
     * Lists the topics of a broker by name, without Kafka's internal ones.
     *
     * @throws IllegalStateException if the broker does not answer; one sentence
     */
    public static List<TopicSizes> of(LocalKafka broker) {
        try (Admin admin = broker.admin()) {
            return read(admin);
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "the broker at %s does not answer: %s"
                            .formatted(broker.bootstrapServers(), e.getCause().getMessage()),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static List<TopicSizes> read(Admin admin)
            throws ExecutionException, InterruptedException {
        Map<String, TopicDescription> topics =
                new TreeMap<>(
                        admin.describeTopics(admin.listTopics().names().get())
                                .allTopicNames()
                                .get());
        Map<TopicPartition, Long> bytes = bytes(admin);
        Map<TopicPartition, Long> ends = ends(admin, topics);
        List<TopicSizes> sizes = new ArrayList<>();
        for (TopicDescription topic : topics.values()) {
            List<TopicPartition> partitions = partitions(topic);
            sizes.add(
                    new TopicSizes(
                            topic.name(),
                            partitions.size(),
                            partitions.stream()
                                    .mapToLong(each -> ends.getOrDefault(each, 0L))
                                    .sum(),
                            partitions.stream()
                                    .mapToLong(each -> bytes.getOrDefault(each, 0L))
                                    .sum()));
        }
        return sizes;
    }

    private static List<TopicPartition> partitions(TopicDescription topic) {
        return topic.partitions().stream()
                .map(each -> new TopicPartition(topic.name(), each.partition()))
                .toList();
    }

    private static Map<TopicPartition, Long> ends(Admin admin, Map<String, TopicDescription> topics)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        for (TopicDescription topic : topics.values()) {
            partitions(topic).forEach(each -> latest.put(each, OffsetSpec.latest()));
        }
        Map<TopicPartition, Long> ends = new HashMap<>();
        for (Map.Entry<TopicPartition, ListOffsetsResultInfo> each :
                admin.listOffsets(latest).all().get().entrySet()) {
            ends.put(each.getKey(), each.getValue().offset());
        }
        return ends;
    }

    private static Map<TopicPartition, Long> bytes(Admin admin)
            throws ExecutionException, InterruptedException {
        List<Integer> brokers =
                admin.describeCluster().nodes().get().stream().map(node -> node.id()).toList();
        Map<TopicPartition, Long> bytes = new HashMap<>();
        for (Map<String, LogDirDescription> directories :
                admin.describeLogDirs(brokers).allDescriptions().get().values()) {
            for (LogDirDescription directory : directories.values()) {
                directory
                        .replicaInfos()
                        .forEach(
                                (partition, replica) ->
                                        bytes.merge(partition, replica.size(), Long::sum));
            }
        }
        return bytes;
    }
}
