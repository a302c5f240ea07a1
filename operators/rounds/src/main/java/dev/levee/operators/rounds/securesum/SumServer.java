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
 * The server of one secure sum: it forwards keys and shares, says who has stayed, and learns the
 * masks that are left on the sum of their rows. It has no values: whoever adds rows up, such as a
 * {@link MaskedSum}, says {@link #added}. When a step ends is the caller's to say, when {@link
 * #complete} or at a deadline.
 *
 * <p>A server that is restarted continues from what it has heard. Not safe for concurrent use.
 */
public final class SumServer {
    private final List<SumMessage> heard = new ArrayList<>();
    private final TreeMap<Integer, String> faults = new TreeMap<>();
    private final Set<Integer> left = new HashSet<>();
    private final List<SumMessage> told = new ArrayList<>();
    private ServerStage stage;

    /**
     * A server.
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
     * A server that continues.
     *
     * @param heard all that another has heard, in order
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

    /** All messages heard, from which another server can continue. */
    public List<SumMessage> heard() {
        return Collections.unmodifiableList(heard);
    }

    /**
     * Takes a device's message; the transport has verified its sender. What comes late, twice, or
     * from others changes nothing; what is wrong is a fault.
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
     * Asks whether the row of a device belongs to the sum, and notes that it does.
     *
     * @return false if the row must be left out: it is late, came before, or is from another device
     */
    public boolean added(int device) {
        return accept(new SumMessage.Added(device));
    }

    /** True if all have answered that can: who has left or was found out is not waited for. */
    public boolean complete() {
        Set<Integer> gone = new HashSet<>(left);
        gone.addAll(faults.keySet());
        return stage.complete(gone);
    }

    /** All its messages to devices so far, in order; a restarted device needs them all. */
    public List<SumMessage> told() {
        return Collections.unmodifiableList(told);
    }

    /**
     * Ends a step with those who have answered.
     *
     * @return for devices: a roster, deliveries, or a closing; empty at the end
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
