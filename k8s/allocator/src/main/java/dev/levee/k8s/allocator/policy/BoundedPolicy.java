package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.Apportionment;
import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.SlotClass;
import dev.levee.k8s.allocator.Snapshot;
import dev.levee.k8s.allocator.internal.FinishTime;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Another policy, with a bound on finish-time fairness ρ. A job that would come near the bound even
 * if it had an equal share of the slots from now on gets that share for itself, as long as it needs
 * it: the policy decides about the job alone on the share, and about the others on what is left. As
 * far as jobs that cannot wait leave room, whose ρ is largest goes first.
 */
final class BoundedPolicy extends WrappedPolicy {
    /**
     * Shares of the bound at which a job gets its share, and above which it keeps it. What is left
     * is for pauses, for what the model does not know, and for jobs that end and leave the others
     * larger shares to be measured against.
     */
    private static final double ENTER = 0.9;

    private static final double KEEP = 0.8;

    private final double bound;
    private final double decisionSeconds;

    /**
     * The policy.
     *
     * @param bound on ρ, at least 1
     * @param decisionSeconds time between decisions; no job counts as shorter
     */
    BoundedPolicy(Policy policy, double bound, double decisionSeconds) {
        super(policy);
        this.bound = bound;
        this.decisionSeconds = decisionSeconds;
    }

    /** A job that needs its share, and what it gets if it has that for itself. */
    private record Late(JobView job, double rho, Decision own) {}

    @Override
    public List<Decision> decide(Snapshot snapshot) {
        List<Late> late = late(snapshot);
        Map<String, Decision> reserved = new HashMap<>();
        Map<String, Decision> decisions = byJob(wrapped().decide(snapshot));
        Snapshot rest = snapshot;
        for (int before = -1; before < reserved.size(); ) {
            before = reserved.size();
            int promised = 0;
            for (Late each : late) {
                String id = each.job().id();
                if (reserved.containsKey(id)) {
                    continue;
                }
                if (decisions.get(id).workers() >= each.own().workers()) {
                    promised += each.own().workers(); // later ones do not take it away
                } else if (fits(each, rest, promised)) {
                    reserved.put(id, each.own());
                    rest = without(rest, id, each.own());
                }
            }
            if (before < reserved.size()) {
                decisions = byJob(wrapped().decide(rest));
            }
        }
        decisions.putAll(reserved);
        List<Decision> inOrder = new ArrayList<>();
        for (JobView job : snapshot.jobs()) {
            inOrder.add(decisions.get(job.id()));
        }
        return inOrder;
    }

    private static Map<String, Decision> byJob(List<Decision> decisions) {
        Map<String, Decision> byJob = new HashMap<>();
        decisions.forEach(each -> byJob.put(each.job(), each));
        return byJob;
    }

    /** Jobs that need their share, the latest first. */
    private List<Late> late(Snapshot snapshot) {
        List<Late> late = new ArrayList<>();
        for (JobView job : snapshot.jobs()) {
            double rho = FinishTime.rho(job, snapshot, wrapped(), decisionSeconds);
            if (rho >= bound * (job.running() ? KEEP : ENTER)) {
                int share = snapshot.slots() / snapshot.jobs().size();
                int slots = Math.max(FinishTime.need(job, wrapped()), share);
                if (slots <= snapshot.slots()) {
                    late.add(new Late(job, rho, own(job, rho, slots, snapshot)));
                }
            }
        }
        late.sort(Comparator.comparingDouble(Late::rho).reversed()); // stable
        return late;
    }

    /** The policy's decision about a job that is alone on so many slots. */
    private Decision own(JobView job, double rho, int slots, Snapshot snapshot) {
        Snapshot alone =
                new Snapshot(
                        snapshot.now(),
                        part(snapshot.classes(), slots),
                        snapshot.scalingRounds(),
                        List.of(job));
        Decision own = wrapped().decide(alone).get(0);
        return new Decision(
                own.job(),
                own.workers(),
                own.localBatch(),
                own.learningRate(),
                "has its equal share, since its finish-time fairness would be %s: %s"
                        .formatted(Reasons.hundredths(rho), own.why()),
                own.slowest(),
                own.moves());
    }

    private static List<SlotClass> part(List<SlotClass> classes, int slots) {
        int[] counts =
                Apportionment.of(slots, classes.stream().mapToInt(SlotClass::slots).toArray());
        List<SlotClass> part = new ArrayList<>();
        for (int c = 0; c < counts.length; c++) {
            SlotClass each = classes.get(c);
            part.add(new SlotClass(each.speed(), counts[c], each.perNode()));
        }
        return part;
    }

    /** True if there is room for it beside what is promised and those that may not be paused. */
    private static boolean fits(Late late, Snapshot rest, int promised) {
        Decision own = late.own();
        long needed = own.workers() + promised;
        for (JobView other : rest.jobs()) {
            boolean stays = other.held() || other.running() && !other.spec().pausable();
            needed += stays && !other.id().equals(own.job()) ? other.least() : 0;
        }
        int room = 0;
        for (SlotClass each : rest.classes()) {
            room += each.speed() >= own.slowest() ? each.slots() : 0;
        }
        return needed <= rest.slots() && own.workers() <= room;
    }

    /** Without a job and the slots that it has, which are the slowest that will do. */
    private static Snapshot without(Snapshot rest, String job, Decision own) {
        List<SlotClass> classes = new ArrayList<>(rest.classes());
        int left = own.workers();
        for (int c = classes.size() - 1; c >= 0; c--) {
            SlotClass each = classes.get(c);
            int taken = each.speed() >= own.slowest() ? Math.min(left, each.slots()) : 0;
            classes.set(c, new SlotClass(each.speed(), each.slots() - taken, each.perNode()));
            left -= taken;
        }
        List<JobView> jobs = rest.jobs().stream().filter(each -> !each.id().equals(job)).toList();
        return new Snapshot(rest.now(), classes, rest.scalingRounds(), jobs);
    }
}
