package dev.levee.operators.rounds.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.learners.Layout;
import dev.levee.learners.Segment;

import org.junit.jupiter.api.Test;

import java.util.BitSet;
import java.util.List;

class CoordinatesTest {
    /** Two layers, whose buffers come behind what is trained: a = 0–2, b = 3–6, c = 7, d = 8–9. */
    private static final Layout MODEL =
            new Layout(
                    List.of(
                            segment("a", 3, 0, true),
                            segment("b", 4, 3, true),
                            segment("c", 1, 7, false),
                            segment("d", 2, 8, false)));

    private static final Coordinates SECOND =
            Coordinates.of(
                    MODEL,
                    new Layout(List.of(segment("b", 4, 0, true), segment("d", 2, 4, false))));

    private static Segment segment(String name, int length, int offset, boolean trainable) {
        return new Segment(name, new long[] {length}, offset, trainable);
    }

    @Test
    void tensorsOfSomeLayersLieInTheOrderOfTheModel() {
        assertThat(SECOND.size()).isEqualTo(6);
        assertThat(SECOND.at(3)).isZero();
        assertThat(SECOND.at(9)).isEqualTo(5);
        assertThat(SECOND.below(3)).isZero();
        assertThat(SECOND.below(5)).isEqualTo(2);
        assertThat(SECOND.below(MODEL.trainable())).isEqualTo(4);
        assertThat(SECOND.below(9)).isEqualTo(5);
        assertThat(SECOND.hold(3, 4)).isTrue();
        assertThat(SECOND.hold(6, 3)).isFalse();
        assertThat(SECOND.hold(2, 2)).isFalse();
        Layout turned = new Layout(List.of(segment("b", 4, 0, true), segment("a", 3, 4, true)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Coordinates.of(MODEL, turned))
                .withMessage("tensor a is not where it is in the model");
    }

    /** Blocks 0–2, 3–5, 6–8, 9. */
    @Test
    void knowsItsBlocksAndTakesWhatIsItsOwn() {
        Slices slices = new Slices(10, 7, 3);
        assertThat(SECOND.blocks(slices)).isEqualTo(blocks(1, 2, 3));
        float[] held = new float[6];
        SECOND.take(new float[] {0, 60, 70, 80, 0}, 1, 3, 6, held);
        assertThat(held).containsExactly(0, 0, 0, 60, 80, 0);
        assertThat(Coordinates.NONE.blocks(slices)).isEqualTo(new BitSet());
        assertThat(Coordinates.all(10).blocks(slices)).isEqualTo(blocks(0, 1, 2, 3));
    }

    @Test
    void copiesWhatBothHold() {
        Slices slices = new Slices(10, 7, 3);
        Coordinates ends = Coordinates.of(slices, blocks(0, 2, 3));
        assertThat(ends.size()).isEqualTo(7);
        Coordinates both = SECOND.and(ends);
        assertThat(both.size()).isEqualTo(3);
        float[] others = new float[7];
        SECOND.copy(new float[] {3, 4, 5, 6, 8, 9}, ends, others);
        assertThat(others).containsExactly(0, 0, 0, 6, 0, 8, 9);
        float[] shared = new float[3];
        SECOND.copy(new float[] {3, 4, 5, 6, 8, 9}, both, shared);
        assertThat(shared).containsExactly(6, 8, 9);
    }

    private static BitSet blocks(int... blocks) {
        BitSet set = new BitSet();
        for (int block : blocks) {
            set.set(block);
        }
        return set;
    }
}
