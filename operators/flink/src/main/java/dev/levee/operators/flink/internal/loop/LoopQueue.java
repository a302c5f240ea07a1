package dev.levee.operators.flink.internal.loop;

import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ShardId;

import java.util.LinkedHashMap;
import java.util.concurrent.CompletableFuture;

/**
 * The in-process loop edge of one subtask. It conflates: for each kind and shard it holds only the
 * newest message, so it is bounded and never blocks. Exceptions are kept in order: models that are
 * pulled, at most as many as contributions may be rounds ahead; messages between stages, bounded by
 * their schedule; permissions to send, one for each announced contribution; and messages of secure
 * sums, two a round and one for each of its devices. When its users are gone, it is emptied;
 * senders offer everything again after a restart.
 */
public final class LoopQueue {
    /** Places in which a message replaces one that waits: those with the same number. */
    private record Lane(Class<?> kind, ShardId shard, long number) {}

    private Lane lane(Class<?> kind, LoopMessage message) {
        return switch (message.replaces()) {
            case OLDER -> new Lane(kind, message.shard(), 0);
            case SAME_ROUND -> new Lane(kind, message.shard(), message.round());
            case NOTHING -> new Lane(kind, null, ++kept);
        };
    }

    private final LinkedHashMap<Lane, LoopMessage> lanes = new LinkedHashMap<>();
    private CompletableFuture<Void> available = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private long kept;
    private volatile boolean hasHead;

    /** A head reads this queue from now on. */
    void attachHead() {
        hasHead = true;
    }

    /** True once a head has begun to read this queue. */
    public boolean hasHead() {
        return hasHead;
    }

    /** Offers a message; an older one in the same lane is replaced. */
    public void offer(Class<?> kind, LoopMessage message) {
        CompletableFuture<Void> wake;
        synchronized (this) {
            lanes.put(lane(kind, message), message);
            wake = available;
        }
        wake.complete(null);
    }

    /** Takes the oldest lane's message, null if there is none. */
    public synchronized LoopMessage poll() {
        var lane = lanes.entrySet().iterator();
        if (!lane.hasNext()) {
            return null;
        }
        LoopMessage message = lane.next().getValue();
        lane.remove();
        return message;
    }

    /** Completes when there may be something to take. */
    public synchronized CompletableFuture<Void> available() {
        if (lanes.isEmpty() && available.isDone()) {
            available = new CompletableFuture<>();
        }
        return available;
    }

    /** The run is over: wakes whoever waits, although nothing was offered. */
    void end() {
        ended.complete(null);
        CompletableFuture<Void> wake;
        synchronized (this) {
            wake = available;
        }
        wake.complete(null);
    }

    /** Completes when the run is over. */
    public CompletableFuture<Void> ended() {
        return ended;
    }
}
