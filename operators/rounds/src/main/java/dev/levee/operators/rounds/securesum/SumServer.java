package dev.levee.operators.rounds.securesum;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * The server of one secure sum. It forwards keys and shares, announces which devices have stayed,
 * and reconstructs the masks that remain on the sum of their rows. It never sees values: the caller
 * adds rows up, for example in a {@link MaskedSum}, and calls {@link #added}. The caller also ends
 * steps, when they are {@link #complete} or at a deadline.
 *
 * <p>A restarted server continues from the messages that it has received. Not safe for concurrent
 * use.
 */
public final class SumServer {
    private final List<SumMessage> heard = new ArrayList<>();
    private final TreeMap<Integer, String> faults = new TreeMap<>();
    private final Set<Integer> left = new HashSet<>();
    private final List<SumMessage> told = new ArrayList<>();
    private ServerStage stage;

    /**
     * Creates a server.
     *
     * @param asked devices of the round
     * @throws IllegalArgumentException if no graph withstands the task's rates; one sentence
     */
    public SumServer(SumTask task, SortedSet<Integer> asked) {
        if (asked.size() != task.asked()) {
            throw new IllegalArgumentException("a sum of %d devices".formatted(task.asked()));
        }
        task.rates().plan(task.asked());
        stage = new ServerAnnouncing(task, asked, faults);
    }

    /**
     * Creates a server that continues after a restart.
     *
     * @param heard all messages received before, in order
     */
    public SumServer(SumTask task, SortedSet<Integer> asked, List<SumMessage> heard) {
        this(task, asked);
        for (SumMessage message : heard) {
            if (message instanceof SumMessage.StepEnded) {
                endStep();
            } else {
                accept(message);
            }
        }
    }

    /** All messages received, from which another server can continue. */
    public List<SumMessage> heard() {
        return Collections.unmodifiableList(heard);
    }

    /**
     * Handles a device's message, whose sender the transport has verified. Late or repeated
     * messages and those of other devices change nothing; wrong ones are faults.
     *
     * @return true if it has changed anything
     */
    public boolean accept(SumMessage message) {
        int known = faults.size();
        boolean accepted =
                message instanceof SumMessage.Left gone
                        ? left.add(gone.device())
                        : stage.accept(message);
        if (accepted || faults.size() > known) {
            heard.add(message);
        }
        return accepted;
    }

    /**
     * Adds a device to the sum if its row belongs there.
     *
     * @return false if the row must be left out: it is late, repeated, or from another device
     */
    public boolean added(int device) {
        return accept(new SumMessage.Added(device));
    }

    /** True if all devices have answered, except those that have left or were proven faulty. */
    public boolean complete() {
        Set<Integer> gone = new HashSet<>(left);
        gone.addAll(faults.keySet());
        return stage.complete(gone);
    }

    /** All messages to devices so far, in order; a restarted device needs all of them. */
    public List<SumMessage> told() {
        return Collections.unmodifiableList(told);
    }

    /**
     * Ends a step with the devices that have answered.
     *
     * @return messages for devices: a roster, deliveries, or a closing; empty at the end
     */
    public List<SumMessage> endStep() {
        heard.add(new SumMessage.StepEnded());
        List<SumMessage> messages = new ArrayList<>();
        stage = stage.end(messages);
        told.addAll(messages);
        return List.copyOf(messages);
    }

    /** The outcome; empty while the sum continues. */
    public Optional<SumOutcome> outcome() {
        return stage.outcome();
    }

    /** Devices that have sent an invalid message, each with one sentence. */
    public SortedMap<Integer, String> faults() {
        return Collections.unmodifiableSortedMap(faults);
    }
}
