package dev.levee.operators.flink.internal.loop;

import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ShardId;

import java.util.LinkedHashMap;
import java.util.concurrent.CompletableFuture;

/**
 * The in-process loop edge of one subtask. It conflates messages: for each kind and shard, it keeps
 * only the newest one, so it is bounded and never blocks. These messages are all kept, in order:
 * pulled models, as many as contributions may be rounds ahead; messages between stages, bounded by
 * their schedule; permissions to send, one for each announced contribution; and messages of secure
 * sums, two in each round and one for each device. The queue is cleared when it has no users;
 * senders offer everything again after a restart.
 */
public final class LoopQueue {
    /**
     * Identifies messages that replace each other: a newer one with the same lane replaces the
     * waiting one.
     */
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

    /** Registers a head that reads this queue. */
    void attachHead() {
        hasHead = true;
    }

    /** True once a head has begun to read this queue. */
    public boolean hasHead() {
        return hasHead;
    }

    /** Offers a message; it replaces an older one in the same lane. */
    public void offer(Class<?> kind, LoopMessage message) {
        CompletableFuture<Void> wake;
        synchronized (this) {
            lanes.put(lane(kind, message), message);
            wake = available;
        }
        wake.complete(null);
    }

    /** Takes the message of the oldest lane, null if there is none. */
    public synchronized LoopMessage poll() {
        var lane = lanes.entrySet().iterator();
        if (!lane.hasNext()) {
            return null;
        }
        LoopMessage message = lane.next().getValue();
        lane.remove();
        return message;
    }

    /** Completes when there may be a message to take. */
    public synchronized CompletableFuture<Void> available() {
        if (lanes.isEmpty() && available.isDone()) {
            available = new CompletableFuture<>();
        }
        return available;
    }

    /** Marks the run as over and wakes the reader without a message. */
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
