package dev.levee.operators.testing.invariants;

import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.shard.Shard;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.Admission;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import java.util.Arrays;
import java.util.TreeMap;
import java.util.TreeSet;

/** Computes the expected state and answers of one shard independently. */
final class BlockWatch {
    private final Training training;
    private final long run;
    private final ShardId id;
    private final int length;
    private long version;
    private Cohort cohort;

    /** Contributions of each worker that were not counted, by the version that they answer. */
    private final TreeMap<Integer, TreeMap<Long, float[]>> held = new TreeMap<>();

    /** Contributions to later rounds, by sender and round. */
    private final TreeMap<Integer, TreeMap<Long, GradientBlock>> early = new TreeMap<>();

    private final TreeSet<Integer> refused = new TreeSet<>();

    /** By worker: the newest version that a counted contribution answers. */
    private final TreeMap<Integer, Long> counted = new TreeMap<>();

    BlockWatch(Training training, long run, ShardId id, int length) {
        this.training = training;
        this.run = run;
        this.id = id;
        this.length = length;
        open(training.settings(id.server(), 0));
    }

    private void open(Settings settings) {
        cohort = settings.cohort();
        held.values().forEach(each -> each.headMap(version - staleness()).clear());
        held.entrySet()
                .removeIf(each -> each.getValue().isEmpty() || !cohort.contains(each.getKey()));
        refused.clear();
    }

    private int staleness() {
        return training.admission().staleness();
    }

    BlockWatch copy() {
        BlockWatch copy = new BlockWatch(training, run, id, length);
        copy.version = version;
        copy.cohort = cohort;
        held.forEach((worker, sent) -> copy.held.put(worker, new TreeMap<>(sent)));
        copy.refused.addAll(refused);
        copy.counted.putAll(counted);
        early.forEach((sender, kept) -> copy.early.put(sender, new TreeMap<>(kept)));
        return copy;
    }

    long version() {
        return version;
    }

    /** True if the shard has accepted this block of a contribution and still remembers it. */
    boolean holds(long round, int worker, float[] contribution, Slices slices) {
        return round != version
                || Arrays.equals(held.get(worker).get(round), slices.cut(contribution, id.block()));
    }

    /** True if the shard must keep a contribution until the next round opens. */
    boolean keeps(GradientBlock gradient) {
        int sender = gradient.header().sender();
        boolean known = sender >= 0 && sender < training.ids();
        if (!ahead(gradient) || !known || gradient.header().run() != run) {
            return false;
        }
        TreeMap<Long, GradientBlock> kept = early.computeIfAbsent(sender, s -> new TreeMap<>());
        int most = training.topology().linked() ? training.topology().mostAhead() : 2;
        return kept.size() < most && kept.putIfAbsent(gradient.header().round(), gradient) == null;
    }

    /** True if an exchange may send a contribution before its round opens here. */
    private boolean ahead(GradientBlock gradient) {
        Topology topology = training.topology();
        long ahead = gradient.header().round() - version;
        long most =
                topology.linked()
                        ? topology.farthestBehind(training.rounds())
                        : training.plan().ahead();
        return ahead > 0 && ahead <= most;
    }

    /** The expected reason to reject a gradient, null if the shard must accept it. */
    Rejection judge(GradientBlock gradient) {
        int worker = gradient.header().sender();
        long age = version - gradient.header().round();
        if (worker < 0 || worker >= training.ids()) {
            return Rejection.UNKNOWN_WORKER;
        }
        if (gradient.header().run() == run && ahead(gradient)) {
            return Rejection.DUPLICATE;
        }
        if (gradient.header().run() != run || age < 0) {
            return Rejection.STALE;
        }
        long base = gradient.header().round();
        long last = counted.getOrDefault(worker, -1L);
        if (base >= 0 && base == last && age <= Math.max(1, staleness())) {
            return Rejection.DUPLICATE;
        }
        if (age > staleness() || base <= last) {
            return age > Shard.MEMORY ? Rejection.STALE : Rejection.LATE;
        }
        if (!cohort.contains(worker)) {
            return Rejection.NOT_ASKED;
        }
        TreeMap<Long, float[]> sent = held.getOrDefault(worker, new TreeMap<>());
        boolean older = !sent.isEmpty() && base <= sent.lastKey();
        if (older || full(sent.size()) || refused.contains(worker)) {
            return Rejection.DUPLICATE;
        }
        Rejection proof = prove(gradient);
        if (proof == null) {
            sent.put(base, gradient.values());
            held.put(worker, sent);
        } else {
            refused.add(worker);
        }
        return proof;
    }

    /** True if a shard keeps no more contributions of a sender with this many. */
    private boolean full(int sent) {
        int waiting = held.values().stream().mapToInt(each -> Math.max(0, each.size() - 1)).sum();
        return sent > 2 && waiting >= cohort.size();
    }

    private Rejection prove(GradientBlock gradient) {
        if (!gradient.shard().equals(id) || gradient.values().length != length) {
            return Rejection.WRONG_SIZE;
        }
        if (training.admission().nonFinite() == Admission.NonFinite.REJECT) {
            for (float value : gradient.values()) {
                if (!Float.isFinite(value)) {
                    return Rejection.NON_FINITE;
                }
            }
        }
        return null;
    }

    /** Ends the round; returns its rows, null where a row has not arrived. */
    float[][] close(Instruction.Close close) {
        float[][] taken = new float[close.rows().length][];
        for (int i = 0; i < taken.length; i++) {
            int worker = close.rows()[i];
            TreeMap<Long, float[]> sent = held.getOrDefault(worker, new TreeMap<>());
            taken[i] = sent.get(close.bases()[i]);
            sent.headMap(close.bases()[i], true).clear();
            counted.put(worker, close.bases()[i]);
        }
        version++;
        open(close.next());
        for (TreeMap<Long, GradientBlock> kept : early.values()) {
            GradientBlock opened = kept.remove(version);
            if (opened != null) {
                judge(opened);
            }
        }
        return taken;
    }
}
