package dev.levee.k8s.flink.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.k8s.flink.RecordedFlink;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.URI;

class FlinkRestTest {
    @ParameterizedTest
    @ValueSource(strings = {"/training/flink", "/training/flink/"})
    void theAddressMayHaveAPath(String path) throws IOException {
        try (RecordedFlink flink = new RecordedFlink()) {
            flink.answer("/training/flink/overview?a=b", "{\"slots-total\":4}");
            FlinkRest rest = new FlinkRest(URI.create(flink.address() + path));
            assertThat(rest.get("/overview?a=b").path("slots-total").asInt()).isEqualTo(4);
        }
    }
}
