package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.StageMessage;
import dev.levee.operators.rounds.StageMessage.Content;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Codec of messages between stages of pipelines. */
final class StageCodec implements Codec<StageMessage> {
    static final StageCodec INSTANCE = new StageCodec();

    private static final Codec<Content> CONTENT = Names.codec(Content.values());

    private static final int BEGIN = 0;
    private static final int FLOATS = 1;
    private static final int ENDED = 2;
    private static final int MODEL = 3;

    @Override
    public void write(StageMessage message, DataOutput out) throws IOException {
        if (message instanceof StageMessage.Begin begin) {
            start(BEGIN, message, out);
            out.writeLong(begin.version());
            out.writeLong(begin.after());
            ArrayCodec.writeInts(begin.ends(), out);
            out.writeLong(begin.seed());
            out.writeBoolean(begin.labels() != null);
            if (begin.labels() != null) {
                ArrayCodec.writeInts(begin.labels(), out);
                ArrayCodec.writeFloats(begin.targets(), out);
            }
        } else if (message instanceof StageMessage.Floats floats) {
            start(FLOATS, message, out);
            CONTENT.write(floats.content(), out);
            out.writeInt(floats.part());
            out.writeInt(floats.length());
            out.writeInt(floats.offset());
            ArrayCodec.writeFloats(floats.array(), floats.from(), floats.count(), out);
        } else if (message instanceof StageMessage.Ended ended) {
            start(ENDED, message, out);
            out.writeInt(ended.from());
            out.writeDouble(ended.loss());
        } else if (message instanceof StageMessage.Model model) {
            start(MODEL, message, out);
            Codecs.MODEL.write(model.block(), out);
        }
    }

    private static void start(int kind, StageMessage message, DataOutput out) throws IOException {
        out.writeByte(kind);
        out.writeInt(message.worker());
        out.writeLong(message.step());
        out.writeInt(message.stage());
    }

    @Override
    public StageMessage read(DataInput in) throws IOException {
        int kind = in.readByte();
        int worker = in.readInt();
        long step = in.readLong();
        int stage = in.readInt();
        return switch (kind) {
            case BEGIN -> {
                long version = in.readLong();
                long after = in.readLong();
                int[] ends = ArrayCodec.readInts(in);
                long seed = in.readLong();
                boolean answers = in.readBoolean();
                yield new StageMessage.Begin(
                        worker,
                        step,
                        stage,
                        version,
                        after,
                        ends,
                        seed,
                        answers ? ArrayCodec.readInts(in) : null,
                        answers ? ArrayCodec.readFloats(in) : null);
            }
            case FLOATS -> {
                Content content = CONTENT.read(in);
                int part = in.readInt();
                int length = in.readInt();
                int offset = in.readInt();
                float[] values = ArrayCodec.readFloats(in);
                yield new StageMessage.Floats(
                        worker,
                        step,
                        stage,
                        content,
                        part,
                        length,
                        offset,
                        values,
                        0,
                        values.length);
            }
            case ENDED ->
                    new StageMessage.Ended(worker, step, stage, in.readInt(), in.readDouble());
            case MODEL -> new StageMessage.Model(worker, stage, Codecs.MODEL.read(in));
            default -> throw new IOException("unknown message to a stage: " + kind);
        };
    }
}
