package dev.levee.operators.flink.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.operators.flink.internal.loop.LocalExchange;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

import java.io.IOException;

class ReferenceSerializerTest {
    private static final long RUN = 78;

    private final TypeSerializer<GradientBlock> serializer =
            RecordKind.GRADIENT
                    .asType(GradientBlock.class)
                    .to(new Destination.Keyed<>(RUN, "shards", g -> g.header().block()))
                    .createSerializer(new SerializerConfigImpl());

    private static GradientBlock gradient(int block) {
        return new GradientBlock(
                Header.gradient(RUN, 5, 2, new ShardId(0, block)),
                0.5,
                1,
                2,
                new float[] {1, -0f, 3});
    }

    private byte[] write(GradientBlock gradient) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(gradient, out);
        return out.getCopyOfBuffer();
    }

    private GradientBlock read(byte[] bytes) throws IOException {
        return serializer.deserialize(new DataInputDeserializer(bytes));
    }

    @Test
    void whatIsReadHereArrivesAsItIsAndTheRestAsACopy() throws IOException {
        GradientBlock here = gradient(0);
        GradientBlock elsewhere = gradient(1);
        byte[] noReader = write(here);
        try (LocalExchange.Reader shard = LocalExchange.reader("job", RUN, "shards")) {
            shard.read(0);
            assertThat(read(write(here))).isSameAs(here);
            assertThat(read(write(elsewhere)))
                    .usingRecursiveComparison()
                    .isEqualTo(elsewhere)
                    .isNotSameAs(elsewhere);
            byte[] handle = write(here);
            assertThat(handle).hasSizeLessThan(noReader.length);
            DataOutputSerializer copy = new DataOutputSerializer(64);
            serializer.copy(new DataInputDeserializer(handle), copy);
            assertThat(read(copy.getCopyOfBuffer())).isSameAs(here);
        }
        assertThat(read(noReader)).usingRecursiveComparison().isEqualTo(here);
    }

    @Test
    void aHandleFromAnotherProcessFailsLoudly() throws IOException {
        byte[] handle;
        try (LocalExchange.Reader shard = LocalExchange.reader("job", RUN, "shards")) {
            shard.read(0);
            handle = write(gradient(0));
        }
        assertThatThrownBy(() -> read(handle))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is not in this process");
    }

    @Test
    void isNotForState() {
        assertThatThrownBy(serializer::snapshotConfiguration)
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
