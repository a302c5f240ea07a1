package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.Settings;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Settings, field by field. */
final class SettingsCodec implements Codec<Settings> {
    static final SettingsCodec INSTANCE = new SettingsCodec();

    @Override
    public void write(Settings settings, DataOutput out) throws IOException {
        CohortCodec.write(settings.cohort(), out);
        out.writeInt(settings.f());
        out.writeInt(settings.quorum());
        out.writeInt(settings.batchSize());
        out.writeDouble(settings.learningRate());
        out.writeBoolean(settings.stop());
        out.writeBoolean(settings.evaluate());
        out.writeLong(settings.samples());
    }

    @Override
    public Settings read(DataInput in) throws IOException {
        return new Settings(
                CohortCodec.read(in),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readDouble(),
                in.readBoolean(),
                in.readBoolean(),
                in.readLong());
    }
}
