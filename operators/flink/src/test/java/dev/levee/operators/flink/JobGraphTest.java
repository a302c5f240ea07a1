package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Attacks;
import dev.levee.operators.rounds.Training;

import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.StreamSupport;

/** The job graph that users see: it reads like the picture in docs/architecture.md. */
class JobGraphTest {
    private static StreamGraph graph(Training training) {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        environment.setParallelism(3);
        TrainingJob.build(environment, training, new KeptResult("graph"));
        return environment.getStreamGraph();
    }

    private static Training attacked() {
        return Trainings.attacked(
                Trainings.logistic(5, 1, "median", 10), 1, Attacks.parse("little-is-enough"));
    }

    private static List<JobVertex> vertices(JobGraph graph) {
        return StreamSupport.stream(graph.getVertices().spliterator(), false).toList();
    }

    @Test
    void readsLikeThePicture() {
        assertThat(vertices(graph(attacked()).getJobGraph()))
                .extracting(JobVertex::getName)
                .containsExactlyInAnyOrder(
                        "Source: Head -> Router",
                        "Workers",
                        "Adversary",
                        "Parameter shards",
                        "Round coordinator",
                        "Evaluation",
                        "Recorder -> Done: Writer");
    }

    @Test
    void hasNoAdversaryWhereNobodyForges() {
        assertThat(vertices(graph(Trainings.logistic(5, 1, "median", 10)).getJobGraph()))
                .extracting(JobVertex::getName)
                .doesNotContain("Adversary")
                .hasSize(6);
    }

    @Test
    void everyOperatorHasAUidAndADescription() {
        assertThat(graph(attacked()).getStreamNodes())
                .allSatisfy(
                        node -> {
                            assertThat(node.getTransformationUID())
                                    .as(node.getOperatorName())
                                    .isNotNull();
                            assertThat(node.getOperatorDescription()).isNotBlank();
                        })
                .extracting(StreamNode::getTransformationUID)
                .contains(
                        "head",
                        "router",
                        "workers",
                        "adversary",
                        "parameter-shards",
                        "round-coordinator",
                        "evaluation",
                        "recorder");
    }

    @Test
    void bothEndsOfTheLoopEdgeAreCoLocatedAndWhatMustBeOneIs() {
        List<JobVertex> vertices = vertices(graph(attacked()).getJobGraph());
        assertThat(vertices)
                .filteredOn(v -> v.getCoLocationGroup() != null)
                .extracting(JobVertex::getName)
                .containsExactlyInAnyOrder(
                        "Source: Head -> Router", "Parameter shards", "Round coordinator");
        assertThat(
                        vertices.stream()
                                .map(JobVertex::getCoLocationGroup)
                                .filter(group -> group != null)
                                .distinct())
                .hasSize(1);
        assertThat(vertices)
                .filteredOn(v -> v.getMaxParallelism() == 1)
                .extracting(JobVertex::getName)
                .containsExactlyInAnyOrder("Evaluation", "Recorder -> Done: Writer");
    }
}
