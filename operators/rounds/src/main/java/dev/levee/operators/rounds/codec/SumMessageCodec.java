package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.securesum.SumMessage.Added;
import dev.levee.operators.rounds.securesum.SumMessage.Closing;
import dev.levee.operators.rounds.securesum.SumMessage.Dealt;
import dev.levee.operators.rounds.securesum.SumMessage.Delivery;
import dev.levee.operators.rounds.securesum.SumMessage.Keys;
import dev.levee.operators.rounds.securesum.SumMessage.Left;
import dev.levee.operators.rounds.securesum.SumMessage.Reveal;
import dev.levee.operators.rounds.securesum.SumMessage.Roster;
import dev.levee.operators.rounds.securesum.SumMessage.Row;
import dev.levee.operators.rounds.securesum.SumMessage.Sealed;
import dev.levee.operators.rounds.securesum.SumMessage.Shares;
import dev.levee.operators.rounds.securesum.SumMessage.StepEnded;
import dev.levee.operators.rounds.securesum.SumMessage.Told;
import dev.levee.operators.rounds.securesum.crypto.FieldBytes;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Codec of a secure sum's messages. Decoding trusts nothing: a claimed size reserves no memory. */
public final class SumMessageCodec {
    private static final int CHUNK = 1 << 12;

    private static final Codec<byte[]> BYTES32 =
            Codec.with((bytes, out) -> out.write(bytes), in -> bytes(FieldBytes.LENGTH, in));

    private static final Codec<byte[]> SHORT_BYTES =
            Codec.with(
                    (bytes, out) -> {
                        out.writeByte(bytes.length);
                        out.write(bytes);
                    },
                    in -> bytes(in.readUnsignedByte(), in));

    private static final Codec<int[]> INTS =
            Codec.with(SumMessageCodec::writeInts, SumMessageCodec::readInts);

    private static final Codec<List<Integer>> NUMBERS =
            Codec.with(
                    (all, out) -> writeInts(all.stream().mapToInt(each -> each).toArray(), out),
                    in -> Arrays.stream(readInts(in)).boxed().toList());

    private static final Map<String, Codec<?>> OWN =
            Map.of(
                    "maskKey", BYTES32,
                    "channelKey", BYTES32,
                    "roster", BYTES32,
                    "sealed", SHORT_BYTES,
                    "keyDigest", BYTES32,
                    "seedDigest", BYTES32,
                    "share", BYTES32,
                    "values", INTS);

    private static final Codec<Keys> PUBLIC = codec(Keys.class);
    private static final Codec<Sealed> SEALED = codec(Sealed.class);
    private static final Codec<Dealt> DEALT = codec(Dealt.class, SEALED);
    private static final Codec<Told> TOLD = codec(Told.class);

    public static final KindCodec<SumMessage> INSTANCE =
            new KindCodec<SumMessage>("no message of a sum has kind", null)
                    .add(1, Keys.class, PUBLIC)
                    .add(2, Roster.class, codec(Roster.class, PUBLIC.list()))
                    .add(3, Shares.class, codec(Shares.class, SEALED.list()))
                    .add(4, Delivery.class, codec(Delivery.class, DEALT.list()))
                    .add(5, Row.class, codec(Row.class))
                    .add(6, Closing.class, codec(Closing.class, NUMBERS))
                    .add(7, Reveal.class, codec(Reveal.class, TOLD.list(), NUMBERS))
                    .add(8, Added.class, codec(Added.class))
                    .add(9, StepEnded.class, codec(StepEnded.class))
                    .add(10, Left.class, codec(Left.class));

    private SumMessageCodec() {}

    private static <T> Codec<T> codec(Class<T> type, Codec<?>... others) {
        return new RecordCodec<>(type, OWN, others);
    }

    private static void writeInts(int[] values, DataOutput out) throws IOException {
        out.writeInt(values.length);
        for (int from = 0; from < values.length; from += CHUNK) {
            int length = Math.min(CHUNK, values.length - from);
            ByteBuffer bytes = ByteBuffer.allocate(length * Integer.BYTES);
            bytes.asIntBuffer().put(values, from, length);
            out.write(bytes.array());
        }
    }

    private static int[] readInts(DataInput in) throws IOException {
        int count = count(in);
        int[] values = new int[Math.min(count, CHUNK)];
        for (int from = 0; from < count; from += CHUNK) {
            int length = Math.min(CHUNK, count - from);
            if (from + length > values.length) {
                values = Arrays.copyOf(values, Math.min(count, 2 * values.length));
            }
            ByteBuffer.wrap(bytes(length * Integer.BYTES, in))
                    .asIntBuffer()
                    .get(values, from, length);
        }
        return values;
    }

    private static int count(DataInput in) throws IOException {
        int count = in.readInt();
        if (count < 0) {
            throw new IOException("a list of " + count);
        }
        return count;
    }

    private static byte[] bytes(int length, DataInput in) throws IOException {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }
}
