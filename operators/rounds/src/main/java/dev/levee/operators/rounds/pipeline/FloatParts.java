package dev.levee.operators.rounds.pipeline;

import dev.levee.operators.rounds.StageMessage;
import dev.levee.operators.rounds.StageMessage.Content;

import java.util.HashMap;
import java.util.Map;

/** Assembles vectors that arrive in parts. */
final class FloatParts {
    private record Vector(Content content, int part) {}

    private static final class Partial {
        private final float[] values;
        private int missing;

        private Partial(int length) {
            values = new float[length];
            missing = length;
        }
    }

    private final Map<Vector, Partial> partial = new HashMap<>();

    /** Adds a part; returns the vector if it is complete now, else null. */
    float[] add(StageMessage.Floats floats) {
        if (floats.count() == floats.length() && floats.array().length == floats.length()) {
            return floats.array();
        }
        Vector vector = new Vector(floats.content(), floats.part());
        Partial one = partial.computeIfAbsent(vector, each -> new Partial(floats.length()));
        System.arraycopy(
                floats.array(), floats.from(), one.values, floats.offset(), floats.count());
        one.missing -= floats.count();
        if (one.missing > 0) {
            return null;
        }
        partial.remove(vector);
        return one.values;
    }
}
