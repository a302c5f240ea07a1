package dev.levee.operators.flink.internal.runtime.history;

import dev.levee.learners.FlatFile;
import dev.levee.learners.FlatVector;

import java.nio.file.Path;

/** Stores vectors of the whole model, which arrive in blocks. */
public interface VectorStore {
    /** A vector that is written block by block. */
    interface Vector extends AutoCloseable {
        /** Writes some coordinates. */
        void put(int from, float[] values);

        /** Ends writing and returns the vector. */
        FlatVector read();

        @Override
        void close();
    }

    /** Creates a vector of zeros. */
    Vector create(int size);

    /** True if vectors fit into memory, for example in checkpoints. */
    boolean inMemory();

    static VectorStore memory() {
        return new VectorStore() {
            @Override
            public Vector create(int size) {
                float[] values = new float[size];
                return new Vector() {
                    @Override
                    public void put(int from, float[] block) {
                        System.arraycopy(block, 0, values, from, block.length);
                    }

                    @Override
                    public FlatVector read() {
                        return FlatVector.of(values);
                    }

                    @Override
                    public void close() {}
                };
            }

            @Override
            public boolean inMemory() {
                return true;
            }
        };
    }

    /** A store in temporary files of a folder. */
    static VectorStore files(Path folder) {
        return new VectorStore() {
            @Override
            public Vector create(int size) {
                FlatFile file = new FlatFile(folder, size);
                return new Vector() {
                    @Override
                    public void put(int from, float[] block) {
                        file.put(from, block);
                    }

                    @Override
                    public FlatVector read() {
                        return file;
                    }

                    @Override
                    public void close() {
                        file.close();
                    }
                };
            }

            @Override
            public boolean inMemory() {
                return false;
            }
        };
    }
}
