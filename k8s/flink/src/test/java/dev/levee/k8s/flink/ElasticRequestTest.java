package dev.levee.k8s.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;

class ElasticRequestTest {
    private static final ElasticRequest REQUEST = new ElasticRequest(1, 8, 2, 16, 512, 0.05);

    @Test
    void isReadBackFromTheConfiguration() {
        assertThat(ElasticRequest.inConfiguration(REQUEST.configuration())).contains(REQUEST);
    }

    @Test
    void isReadBackFromTheName() {
        String name = "Levee: krum on logistic [not elastic: yet]" + REQUEST.nameSuffix();
        assertThat(name)
                .endsWith(
                        " [elastic: min=1, max=8, start=2, batch=16, max-batch=512,"
                                + " learning-rate=0.05]");
        assertThat(ElasticRequest.inName(name)).contains(REQUEST);
    }

    @Test
    void otherJobsDoNotTakePart() {
        assertThat(ElasticRequest.inConfiguration(Map.of("levee.run", "7"))).isEmpty();
        assertThat(ElasticRequest.inName("Levee: krum on logistic")).isEmpty();
    }

    @Test
    void nonsenseIsOneSentence() {
        Map<String, String> configuration = new HashMap<>(REQUEST.configuration());
        configuration.put("levee.elastic.min", "some");
        assertThatThrownBy(() -> ElasticRequest.inConfiguration(configuration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("levee.elastic.min has to be a number, got some");
        assertThatThrownBy(() -> ElasticRequest.inName("x [elastic: max=8]"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("levee.elastic.min has to be a number, got nothing");
    }
}
