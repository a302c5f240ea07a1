package dev.levee.k8s.allocator.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.k8s.allocator.SlotClass;

import org.junit.jupiter.api.Test;

import java.util.List;

class SizeOptionsTest {
    private static final Sizes SIZES = new Sizes(new int[] {1, 2, 4}, 2);

    @Test
    void onEqualSlotsTheyAreTheSizes() {
        SizeOptions options = SizeOptions.of(SIZES, List.of(new SlotClass(0.5, 9)));
        assertThat(options.workers()).containsExactly(1, 2, 4);
        assertThat(options.classes()).containsExactly(0, 0, 0);
        assertThat(options.units()).containsExactly(1, 2, 4);
        assertThat(options.tried()).isEqualTo(2);
    }

    @Test
    void eachClassHasThoseThatFitItAndAllFasterOnes() {
        List<SlotClass> classes = List.of(new SlotClass(2, 3), new SlotClass(1, 1));
        SizeOptions options = SizeOptions.of(SIZES, classes);
        // Four workers do not fit the three fast slots. What it may not be given yet comes last.
        assertThat(options.workers()).containsExactly(1, 1, 2, 2, 4);
        assertThat(options.classes()).containsExactly(1, 0, 1, 0, 1);
        assertThat(options.units()).containsExactly(0.5, 1, 1, 2, 2);
        assertThat(options.tried()).isEqualTo(4);
    }
}
