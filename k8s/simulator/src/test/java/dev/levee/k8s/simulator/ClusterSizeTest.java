package dev.levee.k8s.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.k8s.allocator.SlotClass;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterSizeTest {
    @Test
    void readsNodesOfDifferentSpeed() {
        ClusterSize size = ClusterSize.parse("8x4,2x8@0.5,1x2");
        assertThat(size.slots()).isEqualTo(50);
        assertThat(size.classes())
                .containsExactlyInAnyOrder(new SlotClass(1, 34, 4), new SlotClass(0.5, 16, 8));
        assertThat(ClusterSize.parse("16x4")).isEqualTo(new ClusterSize(16, 4));
    }

    @Test
    void aPartHasOfEachGroupInProportion() {
        ClusterSize size = ClusterSize.parse("16x4");
        assertThat(size.part(64)).isSameAs(size);
        assertThat(size.part(10)).isEqualTo(ClusterSize.parse("2x4,1x2"));
        assertThat(size.part(3)).isEqualTo(ClusterSize.parse("1x3"));
        ClusterSize mixed = ClusterSize.parse("8x4,4x4@0.5");
        assertThat(mixed.part(9)).isEqualTo(ClusterSize.parse("1x4,1x2,1x3@0.5"));
        // 6.67 and 3.33 slots: the larger remainder gets the tenth.
        assertThat(mixed.part(10)).isEqualTo(ClusterSize.parse("1x4,1x3,1x3@0.5"));
        assertThat(mixed.part(1)).isEqualTo(ClusterSize.parse("1x1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"64", "8x4,", "8x4@0", "8x4@-1", "8x4@fast", "8x4 8x4", "0x4"})
    void refusesWhatIsNoCluster(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClusterSize.parse(text))
                .withMessage(
                        "--cluster must be NODESxSLOTS, such as 16x4, or several of them with"
                                + " speeds above 0, such as 8x4,8x4@0.5, got %s",
                        text);
    }
}
