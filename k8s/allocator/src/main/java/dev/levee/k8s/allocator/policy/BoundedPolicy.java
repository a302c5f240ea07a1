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
 * Wraps a policy and adds a bound on finish-time fairness ρ. A job gets an equal share of the slots
 * for itself if it would come near the bound even with that share from now on. The wrapped policy
 * decides about the job alone on its share, and about the other jobs on the remaining slots. Jobs
 * with the largest ρ come first, as far as jobs that cannot be paused leave room.
 */
final class BoundedPolicy extends WrappedPolicy {
    /**
     * A waiting job gets its share if ρ reaches this fraction of the bound, a running one from
     * {@link #KEEP} on, whether it had its share before or not. The margin covers pauses, errors of
     * the model, and jobs that end, after which the remaining jobs are compared with larger shares.
     */
    private static final double ENTER = 0.9;

    private static final double KEEP = 0.8;

    private final double bound;
    private final double decisionSeconds;

    /**
     * Wraps a policy.
     *
     * @param bound the bound on ρ, at least 1
     * @param decisionSeconds time between decisions, which is the lower limit of a job's assumed
     *     duration
     */
    BoundedPolicy(Policy policy, double bound, double decisionSeconds) {
        super(policy);
        this.bound = bound;
        this.decisionSeconds = decisionSeconds;
    }

    /** A job that needs its share, and the decision about it alone on that share. */
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
                    promised += each.own().workers(); // kept free from later jobs
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

    /** The jobs that need their share, by descending ρ. */
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
        late.sort(Comparator.comparingDouble(Late::rho).reversed()); // a stable sort
        return late;
    }

    /** The wrapped policy's decision about a job that is alone on the given slots. */
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

    /** True if there is room for the job besides promised slots and jobs that cannot be paused. */
    private static boolean fits(Late late, Snapshot rest, int promised) {
        Decision own = late.own();
        long needed = own.workers() + promised;
        for (JobView other : rest.jobs()) {
            needed += other.stays() && !other.id().equals(own.job()) ? other.least() : 0;
        }
        int room = 0;
        for (SlotClass each : rest.classes()) {
            room += each.speed() >= own.slowest() ? each.slots() : 0;
        }
        return needed <= rest.slots() && own.workers() <= room;
    }

    /** The snapshot without a job and its slots, which are the slowest slots that it accepts. */
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
