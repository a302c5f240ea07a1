package dev.levee.k8s.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.k8s.allocator.BatchRange;
import dev.levee.k8s.allocator.JobBounds;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class ElasticRequestTest {
    private static final ElasticRequest REQUEST =
            new ElasticRequest(new JobBounds(1, 8, 2, 16, 512, 0.05), false, 0);

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
    void passesOfAWorkerAreAnEntryWhereThereAreAny() {
        ElasticRequest passes = new ElasticRequest(new JobBounds(1, 8, 2, 16, 512, 0.05), true, 64);
        assertThat(ElasticRequest.inConfiguration(passes.configuration())).contains(passes);
        assertThat(passes.nameSuffix()).endsWith(", progress=true, micro-batch=64]");
        assertThat(passes.spec("a", Instant.EPOCH).batches())
                .isEqualTo(new BatchRange(32, 1, 64, true));
        assertThat(REQUEST.spec("a", Instant.EPOCH).batches())
                .isEqualTo(new BatchRange(32, 16, Integer.MAX_VALUE, false));
    }

    @Test
    void aJobOfTasksHasSlotsAndNoBatch() {
        ElasticRequest tasks = ElasticRequest.ofTasks(1, 8, 2, "Repetitions");
        String name = "Levee: effect of d on y" + tasks.nameSuffix();
        assertThat(name).endsWith(" [elastic: min=1, max=8, start=2, tasks=Repetitions]");
        assertThat(ElasticRequest.inName(name)).contains(tasks);
        assertThat(ElasticRequest.inConfiguration(tasks.configuration())).contains(tasks);
        assertThat(tasks.spec("a", Instant.EPOCH).batches())
                .isEqualTo(new BatchRange(1, 1, 1, false));
    }

    @Test
    void otherJobsDoNotTakePart() {
        assertThat(ElasticRequest.inConfiguration(Map.of("levee.run", "7"))).isEmpty();
        assertThat(ElasticRequest.inName("Levee: krum on logistic")).isEmpty();
    }

    @Test
    void aLearningRateIsANumber() {
        for (String rubbish : List.of("NaN", "-1", "Infinity", "much")) {
            Map<String, String> configuration = new HashMap<>(REQUEST.configuration());
            configuration.put("levee.elastic.learning-rate", rubbish);
            assertThatThrownBy(() -> ElasticRequest.inConfiguration(configuration))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("levee.elastic.learning-rate must be a number, got " + rubbish);
        }
    }

    @Test
    void aNumberThatIsNotWholeOrTooLargeIsSaidToBeSo() {
        for (String number : List.of("2.5", "2147483648", "-1", "1e999999", "NaN")) {
            Map<String, String> configuration = new HashMap<>(REQUEST.configuration());
            configuration.put("levee.elastic.min", number);
            assertThatThrownBy(() -> ElasticRequest.inConfiguration(configuration))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "levee.elastic.min must be a whole number from 0 to 2147483647, got "
                                    + number);
        }
    }

    @Test
    void aLargestBatchMayBeLongerThanAnInt() {
        ElasticRequest large =
                new ElasticRequest(new JobBounds(1, 8, 2, 16, Long.MAX_VALUE, 0.05), false, 0);
        assertThat(ElasticRequest.inConfiguration(large.configuration())).contains(large);
    }

    @Test
    void nonsenseIsOneSentence() {
        Map<String, String> configuration = new HashMap<>(REQUEST.configuration());
        configuration.put("levee.elastic.min", "some");
        assertThatThrownBy(() -> ElasticRequest.inConfiguration(configuration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("levee.elastic.min must be a number, got some");
        assertThatThrownBy(() -> ElasticRequest.inName("x [elastic: max=8]"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("levee.elastic.min must be a number, got nothing");
    }
}
