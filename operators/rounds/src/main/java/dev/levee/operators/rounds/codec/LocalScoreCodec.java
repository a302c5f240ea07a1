package dev.levee.operators.rounds.codec;

import dev.levee.learners.Score;
import dev.levee.operators.rounds.LocalScore;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/** Scores of models on a participant's own samples; no name where models have losses only. */
final class LocalScoreCodec implements Codec<LocalScore> {
    @Override
    public void write(LocalScore score, DataOutput out) throws IOException {
        out.writeInt(score.participant());
        out.writeLong(score.round());
        out.writeInt(score.samples());
        out.writeUTF(score.score() == null ? "" : score.score().key());
        out.writeDouble(score.server());
        out.writeDouble(score.serverLoss());
        out.writeDouble(score.own());
        out.writeDouble(score.ownLoss());
    }

    @Override
    public LocalScore read(DataInput in) throws IOException {
        int participant = in.readInt();
        long round = in.readLong();
        int samples = in.readInt();
        return new LocalScore(
                participant,
                round,
                samples,
                named(in.readUTF()),
                in.readDouble(),
                in.readDouble(),
                in.readDouble(),
                in.readDouble());
    }

    private static Score named(String key) throws IOException {
        return key.isEmpty()
                ? null
                : Arrays.stream(Score.values())
                        .filter(each -> each.key().equals(key))
                        .findFirst()
                        .orElseThrow(() -> new IOException("unknown score " + key));
    }
}
