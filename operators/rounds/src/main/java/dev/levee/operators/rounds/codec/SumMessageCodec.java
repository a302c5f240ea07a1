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

/**
 * Messages of a secure sum as bytes. Decoding trusts nothing: a claimed size reserves no memory.
 */
public final class SumMessageCodec implements Codec<SumMessage> {
    public static final SumMessageCodec INSTANCE = new SumMessageCodec();

    private static final int KEYS = 1;
    private static final int ROSTER = 2;
    private static final int SHARES = 3;
    private static final int DELIVERY = 4;
    private static final int ROW = 5;
    private static final int CLOSING = 6;
    private static final int REVEAL = 7;
    private static final int ADDED = 8;
    private static final int STEP_ENDED = 9;
    private static final int LEFT = 10;

    private static final int CHUNK = 1 << 12;

    private static final Codec<Keys> PUBLIC =
            Codec.with(
                    (keys, out) -> {
                        out.writeInt(keys.device());
                        out.write(keys.maskKey());
                        out.write(keys.channelKey());
                    },
                    in -> new Keys(in.readInt(), bytes32(in), bytes32(in)));
    private static final Codec<Sealed> SEALED =
            Codec.with(SumMessageCodec::writeSealed, SumMessageCodec::readSealed);
    private static final Codec<Dealt> DEALT =
            Codec.with(
                    (dealt, out) -> {
                        out.writeInt(dealt.from());
                        SEALED.write(dealt.shares(), out);
                    },
                    in -> new Dealt(in.readInt(), SEALED.read(in)));
    private static final Codec<Told> TOLD =
            Codec.with(
                    (told, out) -> {
                        out.writeInt(told.owner());
                        out.write(told.share());
                    },
                    in -> new Told(in.readInt(), bytes32(in)));

    private SumMessageCodec() {}

    @Override
    public void write(SumMessage message, DataOutput out) throws IOException {
        if (message instanceof Keys keys) {
            out.writeByte(KEYS);
            PUBLIC.write(keys, out);
        } else if (message instanceof Roster roster) {
            out.writeByte(ROSTER);
            out.writeLong(roster.run());
            out.writeLong(roster.round());
            PUBLIC.writeAll(roster.devices(), out);
        } else if (message instanceof Shares shares) {
            out.writeByte(SHARES);
            out.writeInt(shares.device());
            out.write(shares.roster());
            out.write(shares.seedDigest());
            SEALED.writeAll(shares.shares(), out);
        } else if (message instanceof Delivery delivery) {
            out.writeByte(DELIVERY);
            out.writeInt(delivery.device());
            DEALT.writeAll(delivery.dealt(), out);
        } else if (message instanceof Row row) {
            out.writeByte(ROW);
            out.writeInt(row.device());
            writeInts(row.values(), out);
        } else if (message instanceof Closing closing) {
            out.writeByte(CLOSING);
            writeInts(closing.stayed().stream().mapToInt(Integer::intValue).toArray(), out);
        } else if (message instanceof Reveal reveal) {
            out.writeByte(REVEAL);
            out.writeInt(reveal.device());
            TOLD.writeAll(reveal.shares(), out);
            writeInts(reveal.unreadable().stream().mapToInt(Integer::intValue).toArray(), out);
        } else if (message instanceof Added added) {
            out.writeByte(ADDED);
            out.writeInt(added.device());
        } else if (message instanceof Left left) {
            out.writeByte(LEFT);
            out.writeInt(left.device());
        } else {
            out.writeByte(STEP_ENDED);
        }
    }

    @Override
    public SumMessage read(DataInput in) throws IOException {
        int kind = in.readUnsignedByte();
        return switch (kind) {
            case KEYS -> PUBLIC.read(in);
            case ROSTER -> new Roster(in.readLong(), in.readLong(), PUBLIC.readAll(in));
            case SHARES -> new Shares(in.readInt(), bytes32(in), bytes32(in), SEALED.readAll(in));
            case DELIVERY -> new Delivery(in.readInt(), DEALT.readAll(in));
            case ROW -> new Row(in.readInt(), readInts(in));
            case CLOSING -> new Closing(boxed(readInts(in)));
            case REVEAL -> new Reveal(in.readInt(), TOLD.readAll(in), boxed(readInts(in)));
            case ADDED -> new Added(in.readInt());
            case STEP_ENDED -> new StepEnded();
            case LEFT -> new Left(in.readInt());
            default -> throw new IOException("no message of a sum has kind " + kind);
        };
    }

    private static List<Integer> boxed(int[] values) {
        return Arrays.stream(values).boxed().toList();
    }

    private static void writeSealed(Sealed shares, DataOutput out) throws IOException {
        out.writeInt(shares.to());
        out.writeByte(shares.sealed().length);
        out.write(shares.sealed());
        out.write(shares.keyDigest());
        out.write(shares.seedDigest());
    }

    private static Sealed readSealed(DataInput in) throws IOException {
        int to = in.readInt();
        byte[] sealed = bytes(in.readUnsignedByte(), in);
        return new Sealed(to, sealed, bytes32(in), bytes32(in));
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

    private static byte[] bytes32(DataInput in) throws IOException {
        return bytes(FieldBytes.LENGTH, in);
    }

    private static byte[] bytes(int length, DataInput in) throws IOException {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }
}
