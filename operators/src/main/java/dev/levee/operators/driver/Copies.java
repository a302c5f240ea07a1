package dev.levee.operators.driver;

import dev.levee.operators.rounds.AdversaryState;
import dev.levee.operators.rounds.CoordinatorState;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardState;
import dev.levee.operators.rounds.WorkerState;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;

/** Copies that share no array with the original, as if they had been written and read. */
final class Copies {
    private Copies() {}

    static ShardState of(ShardState state) {
        return new ShardState(
                state.version(),
                state.settings(),
                state.values().clone(),
                of(state.moments()),
                state.previous() == null ? null : state.previous().clone(),
                of(state.rows()),
                state.refused().clone(),
                state.phase(),
                state.lastRows().clone());
    }

    static boolean same(ShardState a, ShardState b) {
        return a.version() == b.version()
                && a.settings().equals(b.settings())
                && Arrays.equals(a.values(), b.values())
                && Arrays.deepEquals(a.moments(), b.moments())
                && Arrays.equals(a.previous(), b.previous())
                && Arrays.deepEquals(a.rows(), b.rows())
                && Arrays.equals(a.refused(), b.refused())
                && a.phase() == b.phase()
                && Arrays.equals(a.lastRows(), b.lastRows());
    }

    static AdversaryState of(AdversaryState state) {
        GradientBlock[] waiting = state.waiting().clone();
        Arrays.setAll(waiting, i -> waiting[i] == null ? null : (GradientBlock) of(waiting[i]));
        return new AdversaryState(state.round(), of(state.honest()), waiting);
    }

    static boolean same(AdversaryState a, AdversaryState b) {
        for (int i = 0; i < a.waiting().length; i++) {
            if (!same(a.waiting()[i], b.waiting()[i])) {
                return false;
            }
        }
        return a.round() == b.round() && Arrays.deepEquals(a.honest(), b.honest());
    }

    private static boolean same(GradientBlock a, GradientBlock b) {
        if (a == null || b == null) {
            return a == null && b == null;
        }
        return a.header().equals(b.header()) && Arrays.equals(a.values(), b.values());
    }

    static WorkerState of(WorkerState state) {
        return new WorkerState(
                state.answered(),
                state.consumed(),
                state.momentum() == null ? null : state.momentum().clone());
    }

    static boolean same(WorkerState a, WorkerState b) {
        return a.answered() == b.answered()
                && a.consumed() == b.consumed()
                && Arrays.equals(a.momentum(), b.momentum());
    }

    /** A record as it comes out of a channel that was part of a checkpoint. */
    static Object of(Object message) {
        if (message instanceof GradientBlock gradient) {
            return gradient.with(gradient.values().clone());
        }
        if (message instanceof ModelBlock model) {
            return new ModelBlock(model.header(), model.settings(), model.values().clone());
        }
        return message;
    }

    static byte[] write(CoordinatorState state) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(4096);
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(state);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static CoordinatorState read(byte[] bytes) {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return (CoordinatorState) in.readObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static float[][] of(float[][] rows) {
        float[][] copies = new float[rows.length][];
        Arrays.setAll(copies, i -> rows[i] == null ? null : rows[i].clone());
        return copies;
    }
}
