package dev.levee.operators.testing;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** A channel that keeps its records in order. Records in transit are part of checkpoints. */
public final class Pipe<T> {
    /** Runs an action after a delay, unless a crash precedes it. */
    public interface Later {
        void call(long delay, Runnable what);
    }

    private final Deque<T> records = new ArrayDeque<>();
    private final LongSupplier delay;
    private final Later later;
    private final Consumer<T> end;

    public Pipe(LongSupplier delay, Later later, Consumer<T> end) {
        this.delay = delay;
        this.later = later;
        this.end = end;
    }

    public void send(T message) {
        records.add(message);
        later.call(
                delay.getAsLong(),
                () -> {
                    if (!records.isEmpty()) {
                        take();
                    }
                });
    }

    /** Delivers the next record. */
    public void take() {
        end.accept(records.remove());
    }

    public void sendAll(Collection<T> messages) {
        messages.forEach(this::send);
    }

    /** The records in transit. */
    public List<T> inFlight() {
        return List.copyOf(records);
    }
}
