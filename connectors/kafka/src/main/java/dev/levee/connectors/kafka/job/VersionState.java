package dev.levee.connectors.kafka.job;

import dev.levee.gar.RuleState;
import dev.levee.operators.rounds.codec.ArrayCodec;
import dev.levee.operators.rounds.codec.Codec;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.codec.RecordCodec;
import dev.levee.operators.rounds.codec.RecordFormat;
import dev.levee.operators.rounds.coordinator.CoordinatorMemory;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.RoundReport;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * The state of one block of a version besides the model. With it, a job continues exactly without a
 * checkpoint, or with an old one. It is the content of a state frame: one byte with the version of
 * the format, then the state in the encoding of checkpoints, in chunks with checksums.
 *
 * @param submitted when the job that wrote the state was submitted, microseconds since the epoch
 * @param moments the optimizer's vectors
 * @param previous the last aggregate, null if zero or not needed
 * @param own the server's true model if it published a forged one, otherwise null
 * @param memory the coordinator's memory, in block 0 of each server; null in other blocks
 */
public record VersionState(
        long submitted,
        float[][] moments,
        float[] previous,
        float[] own,
        CoordinatorMemory memory) {
    /** The format. The encoding of versions 1 and 2 is not supported any more. */
    public static final RecordFormat<VersionState> FORMAT =
            new RecordFormat<>("VERSION_STATE", 3, 6, VersionState::codec);

    /** A state of an honest server. */
    public VersionState(
            long submitted, float[][] moments, float[] previous, CoordinatorMemory memory) {
        this(submitted, moments, previous, null, memory);
    }

    /** This state as written by the job that was submitted at {@code job}. */
    public VersionState by(long job) {
        return new VersionState(job, moments, previous, own, memory);
    }

    /** The bytes that {@link #of} reads. */
    public byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(FORMAT.version());
        try {
            FORMAT.writeState(this, new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads what {@link #bytes} wrote.
     *
     * @throws IllegalArgumentException if the bytes are something else, damaged, or of an
     *     unsupported version; one sentence
     */
    public static VersionState of(byte[] bytes) {
        ByteArrayInputStream in = new ByteArrayInputStream(bytes);
        int version = in.read();
        try {
            VersionState state = FORMAT.readState(new DataInputStream(in), version);
            if (in.available() > 0) {
                throw new IllegalArgumentException("a state with more behind its end");
            }
            return state;
        } catch (EOFException | NegativeArraySizeException e) {
            throw new IllegalArgumentException("a state that ends too early", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /**
     * The codec of a version of the format. Reports lack the counts of elastic runs, because runs
     * over Kafka are never elastic. A boolean before each nullable part says whether it is present.
     *
     * @param version version of the format. Version 3 lacks the rounds that rows of a report
     *     answer, versions up to 4 lack {@code own}, and versions up to 5 lack the state of the
     *     plan
     */
    static Codec<VersionState> codec(int version) {
        Codec<RoundReport> rounds = version == 3 ? Codecs.PLAIN_ROUND : Codecs.UNCOUNTED_ROUND;
        Codec<CoordinatorMemory> memory =
                new RecordCodec<>(
                        CoordinatorMemory.class,
                        new RecordCodec<>(RuleState.class),
                        Codecs.COUNTS.list(),
                        rounds.nullable(),
                        Codec.when(
                                version >= 6, new RecordCodec<>(PlanState.class), PlanState.NONE));
        return new RecordCodec<>(
                VersionState.class,
                Map.of("own", Codec.when(version >= 5, ArrayCodec.FLOATS, null)),
                memory.nullable());
    }
}
