package dev.levee.k8s.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.k8s.flink.RecordedFlink;

import io.fabric8.kubernetes.client.KubernetesClient;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

class SessionSlotsTest {
    private ApiServer server;
    private KubernetesClient client;
    private OperatorStandIn operator;
    private RecordedFlink flink;

    @BeforeEach
    void start() throws IOException {
        server = new ApiServer();
        client = server.client();
        operator = new OperatorStandIn(client, "levee-test");
        flink = new RecordedFlink();
        flink.answer("/taskmanagers", "{\"taskmanagers\":[{\"id\":\"a\"},{\"id\":\"b\"}]}");
        flink.answer(
                "/taskmanagers/a",
                "{\"slotsNumber\":2,\"allocatedSlots\":[{\"jobId\":\"job-digits\"},{\"jobId\":\"other\"}]}");
        flink.answer("/taskmanagers/b", "{\"slotsNumber\":2,\"allocatedSlots\":[]}");
    }

    @AfterEach
    void stop() throws IOException {
        flink.close();
        client.close();
        server.close();
    }

    private void cluster(String name, String mode) {
        operator.create(
                """
                apiVersion: flink.apache.org/v1beta1
                kind: FlinkDeployment
                metadata: {name: %s}
                spec: {mode: %s}
                """
                        .formatted(name, mode));
    }

    private FlinkResource job(String name, String cluster) {
        operator.create(
                """
                apiVersion: flink.apache.org/v1beta1
                kind: FlinkSessionJob
                metadata:
                  name: %s
                  annotations: {levee.dev/rest: "%s"}
                spec: {deploymentName: %s, job: {parallelism: 2}}
                """
                        .formatted(name, flink.address(), cluster));
        operator.carryOut(FlinkResource.Kind.FLINK_SESSION_JOB, name);
        return operator.get(FlinkResource.Kind.FLINK_SESSION_JOB, name);
    }

    private int count(FlinkResource... jobs) throws IOException {
        return new SessionSlots(client, KubernetesCluster::restOf)
                .count(Arrays.asList(jobs), List.of());
    }

    @Test
    void whatOthersUseIsNotThere() throws IOException {
        cluster("session", "standalone");
        assertThat(count(job("digits", "session"))).isEqualTo(3);
        assertThat(count()).isZero();
    }

    @Test
    void aJobThatNamesNoAddressIsPassedOver() throws IOException {
        cluster("session", "standalone");
        FlinkResource digits = job("digits", "session");
        operator.create(
                """
                apiVersion: flink.apache.org/v1beta1
                kind: FlinkSessionJob
                metadata:
                  name: odd
                  annotations: {levee.dev/rest: jobs}
                spec: {deploymentName: session, job: {parallelism: 2}}
                """);
        FlinkResource odd = operator.get(FlinkResource.Kind.FLINK_SESSION_JOB, "odd");
        assertThat(count(odd, digits)).isEqualTo(3);
        assertThatThrownBy(() -> count(odd))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(
                        "FlinkSessionJob levee-test/odd: annotation levee.dev/rest");
    }

    @Test
    void aJobThatNamesNoClusterIsPassedOver() throws IOException {
        cluster("session", "standalone");
        assertThat(count(job("lost", "''"), job("digits", "session"))).isEqualTo(3);
    }

    @Test
    void whatCannotBeToldIsNotGuessed() {
        cluster("session", "standalone");
        cluster("growing", "native");
        assertThatThrownBy(() -> count(job("digits", "growing")))
                .hasMessage(
                        "FlinkDeployment levee-test/growing is in native mode, in which TaskManagers come and go with the jobs; set --slots to the number of workers that fit");
        assertThatThrownBy(() -> count(job("letters", "session"), job("faces", "growing")))
                .hasMessageContaining("levee-test/session and levee-test/growing");
        assertThatThrownBy(() -> count(job("odd", "gone")))
                .hasMessage("there is no FlinkDeployment levee-test/gone");
        operator.deployment("alone", "running", 2, "last-state", flink.address().toString());
        assertThatThrownBy(() -> count(operator.get("alone")))
                .hasMessageStartingWith("FlinkDeployment levee-test/alone has its own cluster")
                .hasMessageContaining("--slots");
    }
}
