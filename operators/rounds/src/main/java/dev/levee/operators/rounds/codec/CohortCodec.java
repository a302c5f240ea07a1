package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.Cohort;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Cohorts: a count where the members are the first participants, else their ids. */
final class CohortCodec {
    private CohortCodec() {}

    static void write(Cohort cohort, DataOutput out) throws IOException {
        out.writeBoolean(cohort.isFirst());
        if (cohort.isFirst()) {
            out.writeInt(cohort.size());
        } else {
            ArrayCodec.writeInts(cohort.ids(), out);
        }
    }

    static Cohort read(DataInput in) throws IOException {
        return in.readBoolean() ? Cohort.first(in.readInt()) : Cohort.of(ArrayCodec.readInts(in));
    }
}
