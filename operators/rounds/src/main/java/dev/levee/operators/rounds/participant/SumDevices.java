package dev.levee.operators.rounds.participant;

import dev.levee.gar.Attack;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.securesum.SumDevice;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.securesum.SumMessage.Closing;
import dev.levee.operators.rounds.securesum.SumMessage.Delivery;
import dev.levee.operators.rounds.securesum.SumMessage.Left;
import dev.levee.operators.rounds.securesum.SumMessage.Roster;
import dev.levee.operators.rounds.securesum.SumTask;
import dev.levee.operators.rounds.securesum.plan.SumRates;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.rounds.vector.FixedPoint;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The trained devices of a subtask, or of a process of its own, in the secure sum of a round. A
 * restarted device has the same secret, hence the same keys, and continues from the messages that
 * the server repeats. Its state records only whether it has sent its row, which it does once.
 */
final class SumDevices {
    /** Receives the output of devices. */
    interface Output {
        /** Sends a device's message to the server. */
        void say(long round, SumMessage.FromDevice message);

        /** Sends a device's masked contribution; the device has ended its training. */
        void masked(Work.Task task, Work.Result result);

        /** A device has ended its training and sends nothing. */
        void left(Work.Task task, Work.Result result);

        /** True if a device belongs to this subtask. */
        boolean lives(int device);

        /** The 32-byte seed of all random choices of a device in a sum. */
        byte[] secret(SumTask task, int device);

        /**
         * True if a device of this subtask has ended its training in this round, whether it has
         * sent or left.
         */
        boolean done(int device, long round);
    }

    /** A device with values to send. */
    private record Trained(Work.Task task, Work.Result result) {}

    private static final int STEPS = 4;

    private final Training training;
    private final long run;
    private final SumRates rates;
    private final int asked;
    private final Output output;

    /** Messages of the server in the round that concern devices here. */
    private final List<SumMessage> told = new ArrayList<>();

    private final TreeMap<Integer, SumDevice> devices = new TreeMap<>();
    private final TreeMap<Integer, Trained> trained = new TreeMap<>();
    private long round = -1;

    private SumDevices(Training training, long run, SumRates rates, Output output) {
        this.training = training;
        this.run = run;
        this.rates = rates;
        this.asked = training.plan().at(training, 0).workers();
        this.output = output;
    }

    /** Creates the devices of a run; null if it has no dialogue about masks. */
    static SumDevices of(Training training, long run, Output output) {
        return training.admission()
                .masking()
                .rates()
                .map(rates -> new SumDevices(training, run, rates, output))
                .orElse(null);
    }

    /** A device leaves before its first message. */
    void absent(long at, int device) {
        output.say(at, new Left(device));
    }

    /** A device has trained: it announces its keys, and answers the messages received so far. */
    void trained(Work.Task task, Work.Result result) {
        if (task.round() < round) {
            output.left(task, result);
            return;
        }
        over(task.round());
        int id = task.worker();
        trained.put(id, new Trained(task, result));
        SumDevice device = device(id);
        devices.put(id, device);
        output.say(round, device.keys());
        for (SumMessage message : List.copyOf(told)) {
            answer(id, message);
        }
    }

    /** Handles a message of the server. */
    void tell(SumNotice notice) {
        if (notice.round() < round) {
            return;
        }
        over(notice.round());
        SumMessage message = notice.message();
        if (message instanceof Delivery delivery && !output.lives(delivery.device())) {
            return;
        }
        told.add(message);
        if (message instanceof Closing closing) {
            closing.stayed().forEach(this::reveal);
        } else {
            List.copyOf(trained.keySet()).forEach(id -> answer(id, message));
        }
    }

    /**
     * A model, or a message about it, has arrived, so the sums of earlier rounds are over. Messages
     * may overtake their model.
     */
    void over(long before) {
        if (before > round) {
            round = before;
            told.clear();
            devices.clear();
            List<Trained> late = List.copyOf(trained.values());
            trained.clear();
            late.forEach(each -> output.left(each.task(), each.result()));
        }
    }

    private SumDevice device(int id) {
        SumTask task = new SumTask(run, round, asked, rates);
        return new SumDevice(task, id, output.secret(task, id));
    }

    /** Number of steps that a device takes before it leaves. */
    private int steps(int device) {
        return training.attacks(device, Attack::silent)
                ? training.attackers().attack().sumSteps()
                : STEPS;
    }

    /**
     * Lets a device with values to send answer a message. It leaves if it was left out or refuses
     * the message.
     */
    private void answer(int id, SumMessage message) {
        Trained mine = trained.get(id);
        if (mine == null || message instanceof Delivery other && other.device() != id) {
            return;
        }
        try {
            if (message instanceof Roster roster && takes(2, mine)) {
                output.say(round, devices.get(id).share(roster));
            } else if (message instanceof Delivery delivery && takes(3, mine)) {
                int[] values = FixedPoint.integers(mine.result().values());
                SumMessage.Row row = devices.get(id).mask(delivery, values);
                trained.remove(id);
                output.masked(
                        mine.task(),
                        mine.result().with(FixedPoint.bits(row.values(), values.length)));
            }
        } catch (IllegalArgumentException e) {
            leave(mine);
        }
    }

    private boolean takes(int step, Trained mine) {
        if (steps(mine.task().worker()) >= step) {
            return true;
        }
        leave(mine);
        return false;
    }

    private void leave(Trained mine) {
        trained.remove(mine.task().worker());
        output.say(round, new Left(mine.task().worker()));
        output.left(mine.task(), mine.result());
    }

    /**
     * Lets a device that has sent its row reveal shares; a restarted one first handles old
     * messages.
     */
    private void reveal(int id) {
        if (!output.lives(id) || !output.done(id, round)) {
            return;
        }
        if (steps(id) < STEPS) {
            output.say(round, new Left(id));
            return;
        }
        try {
            tellShares(id);
        } catch (IllegalArgumentException e) {
            // It has answered another message, or lost its masks with its process.
            output.say(round, new Left(id));
        }
    }

    private void tellShares(int id) {
        SumDevice known = devices.get(id);
        SumDevice device = known == null ? resumed(id) : known;
        for (SumMessage message : told) {
            if (message instanceof Closing closing) {
                output.say(round, device.reveal(closing));
            }
        }
    }

    /**
     * A restarted device as it was when it had sent its row. It has answered the first roster and
     * the first delivery; a restarted job repeats both.
     */
    private SumDevice resumed(int id) {
        SumDevice fresh = device(id);
        told.stream()
                .filter(Roster.class::isInstance)
                .findFirst()
                .ifPresent(roster -> fresh.share((Roster) roster));
        told.stream()
                .filter(each -> each instanceof Delivery delivery && delivery.device() == id)
                .findFirst()
                .ifPresent(delivery -> fresh.mask((Delivery) delivery, new int[0]));
        return fresh;
    }
}
