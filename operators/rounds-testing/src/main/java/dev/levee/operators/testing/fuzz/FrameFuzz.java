package dev.levee.operators.testing.fuzz;

import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.connectors.kafka.wire.ToldScores;
import dev.levee.connectors.kafka.wire.VerifyingKey;
import dev.levee.learners.Score;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.testing.BrokenInvariantException;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.NamedParameterSpec;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Generates damaged or forged records from a seed, and checks that each is refused: it is not a
 * frame, not intact, or not signed by the participant that it names. No record may be accepted, and
 * none may cause an exception. Run it with millions of records.
 */
public final class FrameFuzz {
    /** The reason why a record was refused. */
    public enum Outcome {
        /** It does not have the layout of a frame. */
        NO_FRAME,
        /** Its checksum does not match its bytes. */
        ALTERED,
        /** The participant that it names did not sign it or does not exist. */
        FORGED
    }

    private static final int WORKERS = 3;
    private static final int FRAMES = 12;
    private static final int BLOCKS = 4;

    /** The keys of the job and of each worker; the same in each process. */
    private static final List<Keys> KEYS = keys();

    private record Keys(SigningKey signing, VerifyingKey verifying) {}

    private final long seed;
    private final SplittableRandom random;
    private final List<byte[]> frames = new ArrayList<>();
    private final Mutator mutator;

    /** Creates a stream of records. */
    public FrameFuzz(long seed) {
        this.seed = seed;
        random = new SplittableRandom(seed);
        for (int i = 0; i < FRAMES; i++) {
            frames.add(frame(i));
        }
        mutator = new Mutator(frames, random);
    }

    private static List<Keys> keys() {
        try {
            SecureRandom same = SecureRandom.getInstance("SHA1PRNG");
            same.setSeed(1);
            KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
            generator.initialize(NamedParameterSpec.ED25519, same);
            List<Keys> keys = new ArrayList<>();
            for (int i = 0; i <= WORKERS; i++) {
                KeyPair pair = generator.generateKeyPair();
                keys.add(
                        new Keys(
                                new SigningKey(pair.getPrivate().getEncoded()),
                                new VerifyingKey(pair.getPublic().getEncoded())));
            }
            return keys;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private byte[] frame(int i) {
        long run = random.nextLong();
        long round = random.nextLong(1L << random.nextInt(1, 63));
        int block = random.nextInt(BLOCKS);
        int worker = random.nextInt(WORKERS);
        float[] values = new float[random.nextInt(32)];
        for (int k = 0; k < values.length; k++) {
            values[k] = Float.intBitsToFloat(random.nextInt());
        }
        Header model = Header.model(run, round, new ShardId(0, block));
        return switch (FrameKind.values()[i % FrameKind.values().length]) {
            case GRADIENT ->
                    Frames.of(
                            new GradientBlock(
                                    Header.gradient(run, round, worker, new ShardId(0, block)),
                                    random.nextBoolean() ? 1 : 0.5,
                                    1,
                                    2,
                                    3,
                                    values),
                            BLOCKS,
                            KEYS.get(1 + worker).signing());
            case MODEL ->
                    Frames.of(
                            new ModelBlock(
                                    model,
                                    new Settings(
                                            random.nextBoolean()
                                                    ? Cohort.first(3)
                                                    : Cohort.of(1, 2, 300),
                                            1,
                                            3,
                                            10,
                                            0.1,
                                            false,
                                            true,
                                            0),
                                    values),
                            BLOCKS,
                            random.nextBoolean() ? 3 : 500,
                            random.nextBoolean() ? -1 : 2,
                            "",
                            null,
                            KEYS.get(0).signing());
            case STATE ->
                    Frames.ofState(model, BLOCKS, new byte[values.length], KEYS.get(0).signing());
            case SUM ->
                    Frames.of(
                            run,
                            round,
                            new SumMessage.Keys(worker, new byte[32], new byte[32]),
                            KEYS.get(1 + worker).signing());
            case SCORES ->
                    Frames.of(
                            new ToldScores(
                                    run,
                                    round,
                                    worker,
                                    0.5,
                                    block,
                                    2,
                                    Map.of(Score.values()[i % Score.values().length], 0.25)),
                            KEYS.get(1 + worker).signing());
        };
    }

    /** The next record, made without a key. */
    public byte[] next() {
        return mutator.next();
    }

    /**
     * Reads a record as a job does.
     *
     * @throws BrokenInvariantException if it is accepted or causes an exception
     */
    public Outcome judge(byte[] record) {
        try {
            return outcome(record);
        } catch (RuntimeException e) {
            BrokenInvariantException broken =
                    new BrokenInvariantException(
                            e + ", with seed " + seed + ": " + HexFormat.of().formatHex(record));
            broken.initCause(e);
            throw broken;
        }
    }

    private Outcome outcome(byte[] record) {
        Optional<Frame> read = Frame.read(record);
        if (read.isEmpty()) {
            return Outcome.NO_FRAME;
        }
        Frame frame = read.get();
        if (size(frame) > record.length - Frame.HEADER) {
            throw new BrokenInvariantException("values that the record does not hold");
        }
        VerifyingKey key = key(frame);
        if (key != null && frame.authentic(key)) {
            throw new BrokenInvariantException("a spoilt record is believed");
        }
        return frame.intact() ? Outcome.FORGED : Outcome.ALTERED;
    }

    private static int size(Frame frame) {
        return switch (frame.kind()) {
            case MODEL -> frame.model().values().length * Float.BYTES;
            case GRADIENT -> frame.gradient().values().length * Float.BYTES;
            case STATE -> frame.state().length;
            case SUM -> frame.sum().isPresent() ? frame.length() : 0;
            case SCORES -> frame.scores().scores().size() * Double.BYTES;
        };
    }

    /** The key of the participant that a frame names, null if there is none. */
    private static VerifyingKey key(Frame frame) {
        if (frame.kind() == FrameKind.MODEL || frame.kind() == FrameKind.STATE) {
            return KEYS.get(0).verifying();
        }
        boolean known = frame.sender() >= 0 && frame.sender() < WORKERS;
        return known ? KEYS.get(1 + frame.sender()).verifying() : null;
    }
}
