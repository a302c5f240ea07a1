package dev.levee.operators.testing.invariants;

import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.shard.Shard;
import dev.levee.operators.rounds.training.Admission;
import dev.levee.operators.rounds.training.Training;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Computes the expected state, decisions and counts of the coordinator independently. */
final class RoundWatch {
    private record Counted(long round, int worker, Rejection reason) {}

    private final Training training;
    private final int server;
    private final int blocks;
    private final List<Instruction.Close> decisions = new ArrayList<>();
    private final List<int[]> faultsByRound = new ArrayList<>();
    private final long[][] rejected;
    private final Set<Counted> counted = new HashSet<>();
    private CourseWatch course;

    /**
     * Blocks of contributions that are not counted yet, by worker and by the version that they
     * answer.
     */
    private TreeMap<Integer, TreeMap<Long, BitSet>> arrived = new TreeMap<>();

    /** By worker: the newest version that a counted contribution answers. */
    private final TreeMap<Integer, Long> lastBases = new TreeMap<>();

    /**
     * The newest version sent by each block of each server, if the server does not wait for all.
     */
    private final TreeMap<Integer, TreeMap<Integer, Long>> told = new TreeMap<>();

    /** Blocks that have applied the previous round. */
    private BitSet applied = new BitSet();

    private TreeSet<Integer> faults = new TreeSet<>();
    private boolean timedOut;
    private int[] closed;
    private long[] closedBases;
    private TreeSet<Integer> scored = new TreeSet<>();

    RoundWatch(Training training, int server, int blocks) {
        this.training = training;
        this.server = server;
        this.blocks = blocks;
        course = new CourseWatch(training, server);
        rejected = new long[training.ids() + 1][Rejection.values().length];
        open();
    }

    private void open() {
        applied = new BitSet();
        long oldest = training.admission().oldest(round());
        arrived.keySet().removeIf(worker -> !settings().cohort().contains(worker));
        arrived.values().forEach(each -> each.headMap(oldest).clear());
        faults = new TreeSet<>();
        timedOut = false;
        closed = null;
        scored = new TreeSet<>();
    }

    RoundWatch copy() {
        RoundWatch copy = new RoundWatch(training, server, blocks);
        copy.decisions.addAll(decisions);
        copy.faultsByRound.addAll(faultsByRound);
        for (int worker = 0; worker < rejected.length; worker++) {
            copy.rejected[worker] = rejected[worker].clone();
        }
        copy.counted.addAll(counted);
        copy.course = course.copy();
        arrived.forEach(
                (worker, sent) -> {
                    TreeMap<Long, BitSet> copied = new TreeMap<>();
                    sent.forEach((base, blocks) -> copied.put(base, (BitSet) blocks.clone()));
                    copy.arrived.put(worker, copied);
                });
        copy.lastBases.putAll(lastBases);
        told.forEach((sender, blocks) -> copy.told.put(sender, new TreeMap<>(blocks)));
        copy.applied = (BitSet) applied.clone();
        copy.faults = new TreeSet<>(faults);
        copy.timedOut = timedOut;
        copy.closed = closed;
        copy.closedBases = closedBases;
        copy.scored = new TreeSet<>(scored);
        return copy;
    }

    long round() {
        return decisions.size();
    }

    /** Settings of a round that is over or open. */
    Settings settings(long round) {
        return round == 0 ? training.settings(server, 0) : decision(round - 1).next();
    }

    private Settings settings() {
        return settings(round());
    }

    CourseWatch course() {
        return course;
    }

    Instruction.Close decision(long round) {
        return decisions.get((int) round);
    }

    int[] faults(long round) {
        return faultsByRound.get((int) round);
    }

    long[] rejected(int worker) {
        return rejected[worker];
    }

    boolean tooManyFaults() {
        return faults.size() > settings().f() || faults.stream().anyMatch(this::own);
    }

    /** A report is about to reach the coordinator. */
    void reported(ShardReport report) {
        if (report instanceof ShardReport.Arrived row) {
            told(row.worker(), row.shard().block(), row.base());
            arrived(row);
        } else if (report instanceof ShardReport.Combined combined) {
            combined.rows().forEach(this::arrived);
        } else if (report instanceof ShardReport.Dropped dropped) {
            told(dropped.worker(), dropped.shard().block(), dropped.round());
            count(dropped.round(), dropped.worker(), dropped.reason());
            boolean proof =
                    dropped.reason() == Rejection.NON_FINITE
                            || dropped.reason() == Rejection.WRONG_SIZE;
            if (proof && dropped.round() == round() && closed == null) {
                faults.add(dropped.worker());
                course.proven(dropped.worker(), round());
            }
        } else if (report instanceof ShardReport.Computed computed && computed.round() == round()) {
            course.computed(computed, settings());
        } else if (report instanceof ShardReport.Applied done && done.round() == round() - 1) {
            applied.set(done.shard().block());
        } else if (report instanceof ShardReport.Scored score && score.round() == round()) {
            scored.add(score.worker());
        }
        closeBeforeScores();
    }

    private void told(int sender, int block, long version) {
        if (version <= round()) {
            told.computeIfAbsent(sender, each -> new TreeMap<>()).merge(block, version, Math::max);
        }
    }

    /**
     * True if an exchange with a quorum waits for a server that has not sent all of the previous
     * exchange. Otherwise, other servers could be ahead without a bound.
     */
    private boolean leavesBehind() {
        long before = round() - 1;
        while (before >= 0 && training.moment(before).ofWorkers()) {
            before--;
        }
        if (before < 0 || training.moment(round()).ofWorkers() || settings().missingIsFault()) {
            return false;
        }
        for (int id : settings().cohort().ids()) {
            TreeMap<Integer, Long> blocksOf = told.getOrDefault(id, new TreeMap<>());
            for (int block = 0; block < blocks; block++) {
                if (blocksOf.getOrDefault(block, -1L) < before) {
                    return true;
                }
            }
        }
        return false;
    }

    private void fix() {
        closed = taken();
        closedBases = Arrays.stream(closed).mapToLong(this::base).toArray();
    }

    /**
     * Participants with complete contributions; if a round takes only some, those that answer the
     * oldest version.
     */
    private int[] taken() {
        List<Integer> oldest = new ArrayList<>(Arrays.stream(complete()).boxed().toList());
        oldest.sort(Comparator.comparingLong((Integer w) -> base(w)).thenComparing(w -> w));
        return oldest.stream()
                .limit(training.admission().most())
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
    }

    /** Fixes the rows as soon as there are enough, even if the round waits for scores. */
    private void closeBeforeScores() {
        if (closed == null && training.rule().needsScores() && overdue()) {
            fix();
        }
    }

    private void arrived(ShardReport.Arrived row) {
        int[] rows = row.round() < round() ? decision(row.round()).rows() : closed;
        if (rows != null) {
            boolean over = training.admission().inStep();
            if (over && Arrays.stream(rows).noneMatch(w -> w == row.worker())) {
                count(row.round(), row.worker(), Rejection.LATE);
            }
        }
        Admission admission = training.admission();
        boolean counts =
                admission.inStep() ? rows == null : row.base() >= admission.oldest(round());
        counts &= row.base() > lastBases.getOrDefault(row.worker(), -1L);
        if (counts && settings().cohort().contains(row.worker())) {
            arrived.computeIfAbsent(row.worker(), w -> new TreeMap<>())
                    .computeIfAbsent(row.base(), base -> new BitSet())
                    .set(row.shard().block());
        }
    }

    private void count(long round, int sender, Rejection reason) {
        int worker = sender < 0 || sender >= training.ids() ? training.ids() : sender;
        boolean remembered =
                worker < training.ids() && round <= round() && round >= round() - Shard.MEMORY;
        if (!remembered || counted.add(new Counted(round, worker, reason))) {
            rejected[worker][reason.ordinal()]++;
        }
    }

    /** The timeout of the open round is about to expire. */
    void timeout() {
        timedOut = true;
        if (settings().missingIsFault()) {
            for (int worker : settings().cohort().ids()) {
                if (!complete(worker) && !own(worker) && faults.add(worker)) {
                    count(round(), worker, Rejection.MISSING);
                }
            }
        }
        closeBeforeScores();
    }

    private boolean own(int id) {
        return !training.moment(round()).ofWorkers() && id == training.serverId(server);
    }

    private boolean complete(int worker) {
        return !faults.contains(worker) && base(worker) >= 0;
    }

    /** The version that the oldest complete contribution of a worker answers, −1 for none. */
    private long base(int worker) {
        return arrived.getOrDefault(worker, new TreeMap<>()).entrySet().stream()
                .filter(sent -> sent.getValue().cardinality() == blocks)
                .mapToLong(Map.Entry::getKey)
                .findFirst()
                .orElse(-1);
    }

    private int[] complete() {
        return Arrays.stream(settings().cohort().ids()).filter(this::complete).toArray();
    }

    /** True if the open round has all that it needs to close, but has not closed. */
    boolean overdue() {
        if (settings().stop()) {
            return false;
        }
        if (closed != null && training.rule().needsScores()) {
            return Arrays.stream(closed).allMatch(scored::contains);
        }
        return closed == null && ready(complete().length);
    }

    private boolean ready(int complete) {
        int f = settings().f() - faults.size();
        int able = settings().workers() - faults.size();
        return complete > 0
                && !leavesBehind()
                && (training.moment(round()).ofWorkers() || complete(training.serverId(server)))
                && (round() == 0 || applied.cardinality() == blocks)
                && (complete >= Math.min(settings().quorum(), able)
                        || (timedOut
                                && complete
                                        >= Math.max(
                                                Math.max(f + 1, wanted()),
                                                training.rule(server, round())
                                                        .among(settings().workers())
                                                        .minimumRows(f))));
    }

    private int wanted() {
        if (!training.moment(round()).ofWorkers() && !settings().missingIsFault()) {
            return settings().quorum();
        }
        return Math.min(training.admission().least(), settings().quorum());
    }

    /** The error in an instruction to a shard, or null. */
    String instructed(Instruction instruction) {
        if (instruction.round() < round()) {
            return same(instruction, decision(instruction.round()));
        }
        if (instruction instanceof Instruction.Admit admit) {
            return admitted(admit);
        }
        if (instruction.round() > round()) {
            return "an instruction for round " + instruction.round() + " in round " + round();
        }
        if (closed == null) {
            fix();
            if (!ready(closed.length)) {
                return "round " + round() + " closed early, with " + Arrays.toString(closed);
            }
        }
        int[] rows = ((Instruction.OfRows) instruction).rows();
        if (!Arrays.equals(closed, rows)) {
            return "round %s has the gradients of %s but goes on with %s"
                    .formatted(round(), Arrays.toString(closed), Arrays.toString(rows));
        }
        long[] bases = closedBases;
        if (!Arrays.equals(bases, ((Instruction.OfRows) instruction).bases())) {
            return "round " + round() + " should take what answers " + Arrays.toString(bases);
        }
        if (instruction instanceof Instruction.Close close) {
            for (int i = 0; i < rows.length; i++) {
                arrived.get(rows[i]).headMap(bases[i], true).clear();
                lastBases.put(rows[i], bases[i]);
            }
            String wrong = course.wrong(settings(), close.next(), round() + 1);
            if (wrong != null) {
                return "round %d has %s, but %s".formatted(round() + 1, close.next(), wrong);
            }
            decisions.add(close);
            faultsByRound.add(faults.stream().mapToInt(Integer::intValue).toArray());
            open();
        }
        return null;
    }

    /** Complete contributions may be admitted early only if the rule does not look at rows. */
    private String admitted(Instruction.Admit admit) {
        BitSet complete = new BitSet();
        for (int worker : complete()) {
            complete.set(settings().cohort().place(worker));
        }
        BitSet others = (BitSet) admit.places().clone();
        others.andNot(complete);
        return admit.round() == round() && closed == null && others.isEmpty()
                ? null
                : "round " + round() + " admits " + admit.places() + " of " + complete;
    }

    private static boolean sameMap(Instruction.Close close, Instruction.Close first) {
        return close instanceof Instruction.Decide decide && first instanceof Instruction.Decide one
                ? Arrays.deepEquals(decide.map().weights(), one.map().weights())
                        && decide.reduction().equals(one.reduction())
                : close.getClass() == first.getClass();
    }

    /** How an instruction differs from the round's first decision, or null. */
    static String same(Instruction instruction, Instruction.Close first) {
        boolean equal =
                instruction instanceof Instruction.Close close
                        && Arrays.equals(close.rows(), first.rows())
                        && Arrays.equals(close.bases(), first.bases())
                        && close.next().equals(first.next())
                        && sameMap(close, first);
        return equal ? null : "round " + first.round() + " was decided twice, differently";
    }
}
