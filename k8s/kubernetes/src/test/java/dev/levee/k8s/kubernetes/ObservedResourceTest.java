package dev.levee.k8s.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.k8s.allocator.BatchRange;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobPhase;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.allocator.Progress;
import dev.levee.k8s.flink.ElasticRequest;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

class ObservedResourceTest {
    private static final String RESOURCE =
            """
            {"metadata": {"namespace": "training", "name": "digits",
                          "creationTimestamp": "2026-01-01T00:00:00Z"}}
            """;

    @Test
    void aRunningJobHasTheBatchesThatItWasStartedWith() throws IOException {
        FlinkResource resource =
                new FlinkResource(
                        FlinkResource.Kind.FLINK_DEPLOYMENT, new ObjectMapper().readTree(RESOURCE));
        ElasticRequest request = new ElasticRequest(new JobBounds(1, 8, 2, 16, 512, 0.05), true, 8);
        Observation read =
                new Observation(
                        request.spec("job", Instant.EPOCH),
                        JobPhase.RUNNING,
                        2,
                        2,
                        16,
                        Optional.empty(),
                        0,
                        Double.NaN,
                        Double.NaN,
                        Progress.UNKNOWN);
        JobSpec spec = ObservedResource.running(resource, read).observation().spec();
        assertThat(spec.id()).isEqualTo("training/digits");
        assertThat(spec.batches()).isEqualTo(new BatchRange(32, 1, 8, true));
        assertThat(spec.pausable()).isTrue();
    }
}
