package dev.levee.operators.rounds.coordinator;

import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.securesum.SumOutcome;
import dev.levee.operators.rounds.securesum.SumServer;
import dev.levee.operators.rounds.securesum.SumTask;
import dev.levee.operators.rounds.training.Training;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/** The secure sum of an open round, with the messages between its devices and the server. */
final class OpenSum {
    private final SumServer server;

    private OpenSum(SumServer server) {
        this.server = server;
    }

    /**
     * The sum of a round, if it has one.
     *
     * @param run the run's id in records
     * @param heard messages received before a restart
     */
    static Optional<OpenSum> of(
            Training training, long run, long round, Settings settings, List<SumMessage> heard) {
        if (settings.stop() || !training.moment(round).ofWorkers()) {
            return Optional.empty();
        }
        TreeSet<Integer> asked = new TreeSet<>();
        Arrays.stream(settings.cohort().ids()).forEach(asked::add);
        return training.admission()
                .masking()
                .rates()
                .map(rates -> new SumTask(run, round, asked.size(), rates))
                .map(task -> new OpenSum(new SumServer(task, asked, heard)));
    }

    /** Messages to keep in checkpoints. */
    List<SumMessage> heard() {
        return List.copyOf(server.heard());
    }

    /** Handles a device's message. */
    void hear(SumMessage.FromDevice message) {
        server.accept(message);
    }

    /** True once a device has announced its keys. */
    boolean begun() {
        return server.heard().stream().anyMatch(SumMessage.Keys.class::isInstance);
    }

    /** Records that the whole row of a device has arrived. */
    void added(int device) {
        server.added(device);
    }

    /** Ends all steps that are complete; returns the messages to devices. */
    List<SumMessage> advance() {
        List<SumMessage> messages = new ArrayList<>();
        while (server.outcome().isEmpty() && server.complete()) {
            messages.addAll(server.endStep());
        }
        return messages;
    }

    /** Ends a step whose time is over; returns the messages to devices. */
    List<SumMessage> endStep() {
        return server.outcome().isEmpty() ? server.endStep() : List.of();
    }

    /** All messages sent to devices. */
    List<SumMessage> told() {
        return server.told();
    }

    /** Devices whose rows are in the sum while rows are collected; unexpected rows never are. */
    Set<Integer> collected() {
        Set<Integer> collected = new HashSet<>();
        for (SumMessage message : server.heard()) {
            if (message instanceof SumMessage.Added added) {
                collected.add(added.device());
            }
        }
        return collected;
    }

    /** Devices whose rows are in the sum, ascending; empty until that is known. */
    int[] stayed() {
        return server.told().stream()
                .filter(SumMessage.Closing.class::isInstance)
                .flatMap(closing -> ((SumMessage.Closing) closing).stayed().stream())
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** The outcome of the sum; empty while it continues. */
    Optional<SumOutcome> outcome() {
        return server.outcome();
    }

    /** Why the sum was refused; empty if it was not. */
    String refusal() {
        return outcome()
                .map(how -> how instanceof SumOutcome.Refused refused ? refused.why() : "")
                .orElse("");
    }

    /** Devices that were proven faulty, with a sentence for each. */
    SortedMap<Integer, String> faults() {
        return server.faults();
    }
}
