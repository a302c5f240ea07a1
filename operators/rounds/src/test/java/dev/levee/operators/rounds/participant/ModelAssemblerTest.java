package dev.levee.operators.rounds.participant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.Runs;
import dev.levee.operators.rounds.vector.Coordinates;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

class ModelAssemblerTest {
    private final ModelAssembler assembler = new ModelAssembler(new Slices(5, 5, 2));

    private ModelAssembler.Assembled add(long version, int block) {
        return add(assembler, version, block);
    }

    private static ModelAssembler.Assembled add(ModelAssembler assembler, long version, int block) {
        float[] values = new float[block == 2 ? 1 : 2];
        Arrays.fill(values, 10 * version + block);
        return assembler.add(
                new ModelBlock(
                        Header.model(1, version, new ShardId(0, block)),
                        Plan.FIXED.at(Runs.of(1, 0).training(), version),
                        values));
    }

    @Test
    void putsBlocksTogetherInAnyOrder() {
        assertThat(add(0, 2)).isNull();
        assertThat(add(0, 0)).isNull();
        assertThat(add(0, 0)).isNull();
        ModelAssembler.Assembled whole = add(0, 1);
        assertThat(whole.version()).isZero();
        assertThat(whole.parameters()).containsExactly(0, 0, 1, 1, 2);
    }

    @Test
    void doesNotMixVersions() {
        add(0, 0);
        add(1, 1);
        add(0, 2);
        add(1, 2);
        assertThat(add(1, 0).parameters()).containsExactly(10, 10, 11, 11, 12);
    }

    @Test
    void forgetsOlderVersionsOnceANewerIsWhole() {
        add(0, 0);
        add(0, 1);
        add(1, 0);
        add(1, 1);
        assertThat(add(1, 2)).isNotNull();
        assertThat(add(0, 2)).isNull();
        assertThat(add(1, 2)).isNull();
    }

    @Test
    void keepsTheThreeNewestOpenVersions() {
        add(0, 0);
        add(1, 0);
        add(2, 0);
        add(3, 0);
        add(1, 1);
        assertThat(add(1, 2).version()).isEqualTo(1);
        add(3, 1);
        assertThat(add(3, 2).parameters()).containsExactly(30, 30, 31, 31, 32);
    }

    @Test
    void assemblersOfAProcessFillOneArrayAVersion() {
        ModelArrays arrays = new ModelArrays();
        Slices slices = new Slices(5, 5, 2);
        Coordinates all = Coordinates.all(5);
        ModelAssembler first = new ModelAssembler(slices, all, arrays, 0);
        ModelAssembler second = new ModelAssembler(slices, all, arrays, 0);
        ModelAssembler ofAnotherServer = new ModelAssembler(slices, all, arrays, 1);

        add(first, 0, 0);
        add(second, 0, 1);
        add(first, 0, 1);
        add(second, 0, 2);
        float[] model = add(first, 0, 2).parameters();
        assertThat(model).containsExactly(0, 0, 1, 1, 2);
        // Each waits for all blocks, although the array has them.
        assertThat(add(second, 1, 0)).isNull();
        assertThat(add(second, 0, 0).parameters()).isSameAs(model);

        add(first, 1, 1);
        add(first, 1, 0);
        assertThat(add(first, 1, 2).parameters()).containsExactly(10, 10, 11, 11, 12);
        assertThat(model).containsExactly(0, 0, 1, 1, 2);

        add(ofAnotherServer, 0, 0);
        add(ofAnotherServer, 0, 1);
        assertThat(add(ofAnotherServer, 0, 2).parameters()).isNotSameAs(model);
    }

    @Test
    void takesWhatShardsOfTheProcessHaveWrittenAsItIs() {
        ModelArrays arrays = new ModelArrays();
        Slices slices = new Slices(5, 5, 2);
        ModelAssembler reader = new ModelAssembler(slices, Coordinates.all(5), arrays, 0);
        assertThat(arrays.whole(0, 1, 5)).isNull();
        add(reader, 0, 0);
        assertThat(arrays.whole(1, 1, 5)).isNull();
        assertThat(arrays.whole(0, 1, 6)).isNull();

        float[] whole = arrays.whole(0, 1, 5);
        assertThat(arrays.whole(0, 1, 5)).isSameAs(whole);
        Arrays.fill(whole, 0, 4, 7);
        assertThat(written(reader, whole, 0, 2)).isNull();
        assertThat(written(reader, whole, 1, 2)).isNull();
        // The last block is of another process.
        assertThat(add(reader, 1, 2).parameters()).isSameAs(whole).containsExactly(7, 7, 7, 7, 12);
    }

    private static ModelAssembler.Assembled written(
            ModelAssembler reader, float[] whole, int block, int length) {
        return reader.add(
                new ModelBlock(
                        Header.model(1, 1, new ShardId(0, block)),
                        Plan.FIXED.at(Runs.of(1, 0).training(), 1),
                        whole,
                        2 * block,
                        length));
    }
}
