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

/** The secure sum of an open round: what its devices and the server have told each other. */
final class OpenSum {
    private final SumServer server;

    private OpenSum(SumServer server) {
        this.server = server;
    }

    /**
     * The sum of a round, if it has one.
     *
     * @param run as records carry it
     * @param heard what a server before has heard of it
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

    /** Takes what a device has said. */
    void hear(SumMessage.FromDevice message) {
        server.accept(message);
    }

    /** The whole row of a device has come. */
    void added(int device) {
        server.added(device);
    }

    /** Ends all steps for which nobody has to be waited for; returns what devices are told. */
    List<SumMessage> advance() {
        List<SumMessage> messages = new ArrayList<>();
        while (server.outcome().isEmpty() && server.complete()) {
            messages.addAll(server.endStep());
        }
        return messages;
    }

    /** Ends a step whose time is over; returns what devices are told. */
    List<SumMessage> endStep() {
        return server.outcome().isEmpty() ? server.endStep() : List.of();
    }

    /** All that devices have been told. */
    List<SumMessage> told() {
        return server.told();
    }

    /**
     * Devices whose rows are in the sum while it is collected; a row that nobody expects of its
     * device never is.
     */
    Set<Integer> collected() {
        Set<Integer> collected = new HashSet<>();
        for (SumMessage message : server.heard()) {
            if (message instanceof SumMessage.Added added) {
                collected.add(added.device());
            }
        }
        return collected;
    }

    /** Devices whose rows are in the sum, ascending, once that is known; before, empty. */
    int[] stayed() {
        return server.told().stream()
                .filter(SumMessage.Closing.class::isInstance)
                .flatMap(closing -> ((SumMessage.Closing) closing).stayed().stream())
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** How it has ended; empty while it continues. */
    Optional<SumOutcome> outcome() {
        return server.outcome();
    }

    /** Why it was refused; empty if it was not. */
    String refusal() {
        return outcome()
                .map(how -> how instanceof SumOutcome.Refused refused ? refused.why() : "")
                .orElse("");
    }

    /** Devices that were found out, each with one sentence. */
    SortedMap<Integer, String> faults() {
        return server.faults();
    }
}
