package dev.levee.connectors.kafka.wire;

import dev.levee.learners.Score;
import dev.levee.operators.rounds.report.LocalScore;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads and writes a device's scores as a field of its contribution: number of samples and tag of
 * the score, 0 for none (int32 each); score and loss of the server's model, score and loss of the
 * device's own model (float64 each). Little-endian.
 */
final class LocalScoreField {
    private LocalScoreField() {}

    static byte[] of(LocalScore score) {
        return TaggedFields.little(FrameLayout.LOCAL_SCORE_BYTES)
                .putInt(score.samples())
                .putInt(score.score() == null ? 0 : FrameLayout.tag(score.score()))
                .putDouble(score.server())
                .putDouble(score.serverLoss())
                .putDouble(score.own())
                .putDouble(score.ownLoss())
                .array();
    }

    /**
     * Reads the scores in a field.
     *
     * @param participant the participant that reports them
     * @return empty if the values are impossible
     */
    static Optional<LocalScore> read(ByteBuffer field, int participant, long round) {
        int samples = field.getInt();
        int tag = field.getInt();
        Score score =
                Arrays.stream(Score.values())
                        .filter(each -> FrameLayout.tag(each) == tag)
                        .findFirst()
                        .orElse(null);
        LocalScore told =
                new LocalScore(
                        participant,
                        round,
                        samples,
                        score,
                        field.getDouble(),
                        field.getDouble(),
                        field.getDouble(),
                        field.getDouble());
        boolean possible =
                samples > 0
                        && (score != null || tag == 0)
                        && possible(score, told.server(), told.serverLoss())
                        && possible(score, told.own(), told.ownLoss());
        return possible ? Optional.of(told) : Optional.empty();
    }

    private static boolean possible(Score score, double value, double loss) {
        return !Double.isInfinite(loss)
                && (score == null ? Double.isNaN(value) : ToldScores.possible(score, value));
    }
}
