package dev.levee.federated.gateway.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.kafka.versions.NewestVersion;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

class ModelsTest {
    private static final long RUN = 5;

    private static NewestVersion.Found found(long version) {
        ModelBlock block =
                new ModelBlock(
                        Header.model(RUN, version, new ShardId(0, 0)),
                        new Settings(Cohort.first(1), 0, 1, 5, 0.5, false, false, 0),
                        new float[] {version});
        Frame frame = Frame.read(Frames.of(block, 1, null)).orElseThrow();
        return new NewestVersion.Found(RUN, version, List.of(frame), 0, Map.of());
    }

    /** The reader begins anew after an outage of the broker, and finds the newest version again. */
    @Test
    void aVersionThatIsFoundAgainIsNoNews() throws Exception {
        Models models = new Models();
        models.newest(found(6));
        models.newest(found(7));
        List<String> told = new ArrayList<>();
        models.tell(new VersionId(RUN, 7), version -> told.add(version.id()));

        models.newest(found(7));

        assertThat(told).isEmpty();
        assertThat(models.waiting()).isEqualTo(1);
        assertThat(models.version("5-6").version()).isEqualTo(6);
        models.newest(found(8));
        assertThat(told).containsExactly("5-8");
        assertThat(models.waiting()).isZero();
        assertThat(models.version("5-7").version()).isEqualTo(7);
    }
}
