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
 * The state of one block of a version beside the model: with it, a job without a checkpoint, or
 * with an old one, goes on exactly. It is the content of a state frame: a byte that says in which
 * version of the format it is, then the state as checkpoints have theirs, in chunks with checksums.
 *
 * @param submitted when the job was submitted that made it, microseconds since the epoch
 * @param moments the optimizer's vectors
 * @param previous the last aggregate, null if zero or not needed
 * @param own the model's values where those that were published are a lie, null where they are not
 * @param memory the coordinator's memory; null but in block 0 of each server
 */
public record VersionState(
        long submitted,
        float[][] moments,
        float[] previous,
        float[] own,
        CoordinatorMemory memory) {
    /** Up to version 2 it had an encoding of its own, which no code reads any more. */
    public static final RecordFormat<VersionState> FORMAT =
            new RecordFormat<>("VERSION_STATE", 3, 6, VersionState::codec);

    /** A state of a server that does not lie. */
    public VersionState(
            long submitted, float[][] moments, float[] previous, CoordinatorMemory memory) {
        this(submitted, moments, previous, null, memory);
    }

    /** The same, made by a job that was submitted then. */
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
     * @throws IllegalArgumentException if they are something else, damaged, or of a version that
     *     nobody reads; one sentence
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
