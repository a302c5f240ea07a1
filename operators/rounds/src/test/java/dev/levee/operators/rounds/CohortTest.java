package dev.levee.operators.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.operators.rounds.codec.Codecs;

import org.junit.jupiter.api.Test;

class CohortTest {
    @Test
    void aPlaceIsWhereAnIdStands() {
        Cohort cohort = Cohort.of(3, 70, 999);
        assertThat(cohort.size()).isEqualTo(3);
        assertThat(cohort.ids()).containsExactly(3, 70, 999);
        assertThat(cohort.id(1)).isEqualTo(70);
        assertThat(cohort.place(999)).isEqualTo(2);
        assertThat(cohort.place(3)).isZero();
        assertThat(cohort.isFirst()).isFalse();
    }

    @Test
    void whoIsNoMemberHasNoPlace() {
        Cohort some = Cohort.of(3, 70, 999);
        for (int stranger : new int[] {-1, 0, 2, 4, 71, 1000, Integer.MAX_VALUE}) {
            assertThat(some.place(stranger)).as("%d", stranger).isNegative();
            assertThat(some.contains(stranger)).as("%d", stranger).isFalse();
        }
        Cohort first = Cohort.first(3);
        for (int stranger : new int[] {-1, 3, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertThat(first.place(stranger)).as("%d", stranger).isNegative();
            assertThat(first.contains(stranger)).as("%d", stranger).isFalse();
        }
        assertThat(first.contains(2)).isTrue();
    }

    @Test
    void theFirstParticipantsAreTheSameCohortHoweverTheyAreNamed() {
        assertThat(Cohort.of(0, 1, 2))
                .isEqualTo(Cohort.first(3))
                .hasSameHashCodeAs(Cohort.first(3));
        assertThat(Cohort.of(0, 1, 2).isFirst()).isTrue();
        assertThat(Cohort.first(3).ids()).containsExactly(0, 1, 2);
        assertThat(Cohort.of(0, 1, 3)).isNotEqualTo(Cohort.first(3)).isEqualTo(Cohort.of(0, 1, 3));
        assertThat(Cohort.first(3)).isNotEqualTo(Cohort.first(4));
    }

    @Test
    void nobodyChangesACohortFromOutside() {
        int[] ids = {1, 5};
        Cohort cohort = Cohort.of(ids);
        ids[0] = 9;
        cohort.ids()[1] = 9;
        assertThat(cohort.ids()).containsExactly(1, 5);
    }

    @Test
    void refusesIdsThatAreNone() {
        assertThatThrownBy(() -> Cohort.first(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a cohort needs at least 1 member, got 0");
        assertThatThrownBy(Cohort::of)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a cohort needs ids of at least 0, got []");
        assertThatThrownBy(() -> Cohort.of(-1, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a cohort needs ids of at least 0, got [-1, 2]");
        assertThatThrownBy(() -> Cohort.of(1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ids of a cohort must ascend, got [1, 1]");
        assertThatThrownBy(() -> Cohort.of(2, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ids of a cohort must ascend, got [2, 1]");
    }

    @Test
    void ridesInAModelBlock() {
        for (Cohort cohort : new Cohort[] {Cohort.first(7), Cohort.of(3, 70, 999)}) {
            ModelBlock block =
                    new ModelBlock(
                            Header.model(1, 0, new ShardId(0, 0)),
                            new Settings(cohort, 1, 2, 4, 0.5, false, true, 12),
                            new float[] {1});
            ModelBlock read = (ModelBlock) Codecs.LOOP.of(Codecs.LOOP.bytes(block));
            assertThat(read.settings()).isEqualTo(block.settings());
        }
        // However many they are, the first participants are one number.
        Settings many = new Settings(Cohort.first(1_000_000), 1, 2, 4, 0.5, false, true, 12);
        ModelBlock block =
                new ModelBlock(Header.model(1, 0, new ShardId(0, 0)), many, new float[1]);
        assertThat(Codecs.LOOP.bytes(block)).hasSizeLessThan(200);
    }
}
