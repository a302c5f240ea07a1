package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.Attacks;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.graph.StreamEdge;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
    void hasAnOracleWhereTheRuleNeedsScores() {
        assertThat(vertices(graph(Trainings.logistic(5, 1, "zeno", 10)).getJobGraph()))
                .extracting(JobVertex::getName)
                .contains("Oracle")
                .hasSize(7);
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
                        "testrun1-head",
                        "testrun1-router",
                        "testrun1-workers",
                        "testrun1-adversary",
                        "testrun1-parameter-shards",
                        "testrun1-round-coordinator",
                        "testrun1-evaluation",
                        "testrun1-recorder");
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

    @Test
    void leavesTheRestOfTheJobToItsUser() {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        environment.setParallelism(3);
        environment.setMaxParallelism(64);
        environment.setBufferTimeout(70);
        environment.enableCheckpointing(1000);
        environment.getCheckpointConfig().enableUnalignedCheckpoints();
        TrainingJob.build(environment, attacked(), new KeptResult("graph"))
                .keyBy(gradient -> gradient.header().sender())
                .map(gradient -> gradient.header().sender())
                .uid("mine")
                .sinkTo(new DiscardingSink<>())
                .uid("mine too");

        assertThat(environment.getMaxParallelism()).isEqualTo(64);
        assertThat(environment.getBufferTimeout()).isEqualTo(70);
        assertThat(environment.getConfig().isObjectReuseEnabled()).isFalse();
        assertThat(environment.getCheckpointConfig().isUnalignedCheckpointsEnabled()).isTrue();
        Map<Boolean, List<StreamNode>> nodes =
                environment.getStreamGraph().getStreamNodes().stream()
                        .collect(
                                Collectors.partitioningBy(
                                        node -> node.getTransformationUID().startsWith("mine")));
        // Nodes are in no order: their numbers go on from one test to the next.
        StreamNode mine =
                nodes.get(true).stream()
                        .filter(node -> node.getTransformationUID().equals("mine"))
                        .findFirst()
                        .orElseThrow();
        assertThat(mine.getMaxParallelism()).isEqualTo(64);
        assertThat(mine.getBufferTimeout()).isEqualTo(70);
        assertThat(mine.getInEdges()).allMatch(StreamEdge::supportsUnalignedCheckpoints);
        assertThat(nodes.get(false))
                .filteredOn(node -> !node.getTransformationUID().contains("done"))
                .hasSize(8)
                .allSatisfy(
                        node -> {
                            assertThat(node.getBufferTimeout()).isZero();
                            assertThat(node.getMaxParallelism()).isIn(1, 256);
                            assertThat(node.getInEdges())
                                    .filteredOn(edge -> !edge.getPartitioner().isPointwise())
                                    .noneMatch(StreamEdge::supportsUnalignedCheckpoints);
                        });
    }

    @Test
    void eachTrainingOfAJobNeedsARunIdOfItsOwn() {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        TrainingJob.build(environment, attacked(), new KeptResult("graph"));
        assertThatThrownBy(
                        () -> TrainingJob.build(environment, attacked(), new KeptResult("graph")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("testrun1 is taken");
    }

    @Test
    void whereThereAreSeveralLoopsEachIsCalledByItsRun() {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        environment.setParallelism(3);
        DataStream<GradientBlock> late =
                TrainingJob.build(environment, attacked(), new KeptResult("graph"));
        late.sinkTo(new DiscardingSink<>()).name("Late").uid("late");
        List<String> runs = List.of("testrun1", "testrun1-b", "run3");
        for (String run : runs.subList(1, 3)) {
            Training other =
                    new TrainingBuilder(Trainings.logistic(5, 1, "zeno", 10)).runId(run).build();
            TrainingJob.build(environment, other, new KeptResult(run));
        }

        List<StreamNode> nodes = List.copyOf(environment.getStreamGraph(false).getStreamNodes());
        assertThat(nodes).extracting(StreamNode::getOperatorName).doesNotHaveDuplicates();
        for (String run : runs) {
            assertThat(nodes)
                    .filteredOn(node -> node.getOperatorName().endsWith(" of " + run))
                    .hasSize(8)
                    .allSatisfy(
                            node -> {
                                assertThat(node.getOperatorName()).containsOnlyOnce(" of ");
                                assertThat(node.getTransformationUID()).startsWith(run + "-");
                                assertThat(node.getOperatorDescription()).startsWith(run + ": ");
                            });
        }
        assertThat(nodes)
                .extracting(StreamNode::getOperatorName)
                .contains(
                        "Source: Head of testrun1",
                        "Round coordinator of testrun1-b",
                        "Done of run3: Writer",
                        "Late: Writer");
    }
}
