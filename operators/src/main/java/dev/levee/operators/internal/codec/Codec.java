package dev.levee.operators.internal.codec;

import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/** Writes and reads one type. Nothing that is read is ever changed, so codecs need no copying. */
interface Codec<T> {
    void write(T value, DataOutputView out) throws IOException;

    T read(DataInputView in) throws IOException;
}
