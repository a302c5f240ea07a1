package dev.levee.operators.internal.codec;

import dev.levee.operators.rounds.Settings;

import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Settings, field by field. */
final class SettingsCodec implements Codec<Settings> {
    static final SettingsCodec INSTANCE = new SettingsCodec();

    @Override
    public void write(Settings settings, DataOutputView out) throws IOException {
        out.writeInt(settings.workers());
        out.writeInt(settings.f());
        out.writeInt(settings.quorum());
        out.writeInt(settings.batchSize());
        out.writeDouble(settings.learningRate());
        out.writeBoolean(settings.stop());
        out.writeBoolean(settings.evaluate());
        out.writeLong(settings.samples());
    }

    @Override
    public Settings read(DataInputView in) throws IOException {
        return new Settings(
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readDouble(),
                in.readBoolean(),
                in.readBoolean(),
                in.readLong());
    }
}
