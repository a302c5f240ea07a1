package dev.levee.operators.testing.network;

import dev.levee.operators.rounds.transfer.LinkRates;
import dev.levee.operators.rounds.transfer.TransferScheduler;
import dev.levee.operators.rounds.transfer.TransferScheduler.Decision;
import dev.levee.operators.rounds.transfer.TransferScheduler.Drop;
import dev.levee.operators.rounds.transfer.TransferScheduler.Gather;
import dev.levee.operators.rounds.transfer.TransferScheduler.Send;
import dev.levee.operators.rounds.transfer.TransferScheduler.SendSum;
import dev.levee.operators.rounds.transfer.TransferScheduler.Update;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Asynchronous training in virtual time: each worker computes on the newest model and sends its
 * update to the server, and the server steps along it. A worker continues when its update was sent
 * or dropped. Updates share links. Models do not, because the same bytes go to all workers along a
 * tree, which is not simulated.
 */
public final class AsynchronousRun {
    /**
     * The result of a run.
     *
     * @param seconds time until the loss was small enough, infinity if it never was
     * @param applied number of applied updates
     * @param dropped number of updates that were dropped before they were sent
     * @param wasted number of updates that the server dropped after they were sent
     * @param meanDelay mean delay of the applied updates, in applied updates
     * @param largestDelay largest delay of the applied updates
     * @param megabytes megabytes that the server received
     */
    public record Outcome(
            double seconds,
            long applied,
            long dropped,
            long wasted,
            double meanDelay,
            long largestDelay,
            double megabytes) {}

    private record Computed(double at, int worker, long version, float[] model) {}

    /** An update that was sent directly, or a member of a group. */
    private record Part(Update update, Gather group, double since, int sharing) {}

    private record Sum(SendSum sum, double since) {}

    private static final int EVALUATE_EVERY = 50;

    private final Setting setting;
    private final Transfers transfers;
    private final Problem problem;
    private final int bound;
    private final double learningRate;
    private final int server;
    private final LinkNetwork network;
    private final LinkRates rates;
    private final TransferScheduler scheduler;
    private final SplittableRandom random;
    private final PriorityQueue<Computed> computing =
            new PriorityQueue<>(
                    Comparator.comparingDouble(Computed::at).thenComparingInt(Computed::worker));
    private final Map<Long, float[]> gradients = new HashMap<>();
    private final Map<Gather, Integer> missing = new HashMap<>();
    private final int[] gathering;
    private final long[] draws;
    private final boolean[] slow;

    private float[] model;
    private double now;
    private long version;
    private long ids;
    private long applied;
    private long dropped;
    private long wasted;
    private long delays;
    private long largest;
    private double received;

    /**
     * Creates a run.
     *
     * @param bound largest delay of an update, unless delays are unbounded
     */
    public AsynchronousRun(
            Setting setting, Transfers transfers, Problem problem, int bound, double learningRate) {
        this.setting = setting;
        this.transfers = transfers;
        this.problem = problem;
        this.bound = bound;
        this.learningRate = learningRate;
        server = setting.workers();
        network = new LinkNetwork(setting.workers() + 1, setting.rate());
        rates = new LinkRates(setting.rate());
        int[] aggregators =
                transfers == Transfers.SUMMED
                        ? IntStream.range(0, setting.workers()).toArray()
                        : new int[0];
        scheduler = new TransferScheduler(bound, 1, rates, aggregators);
        random = new SplittableRandom(setting.seed());
        gathering = new int[setting.workers()];
        draws = new long[setting.workers()];
        slow = new boolean[setting.workers()];
        model = problem.initial();
    }

    /**
     * Trains until the loss is at most {@code target}, or until the time limit.
     *
     * @param limit virtual seconds
     */
    public Outcome run(double target, double limit) {
        change();
        double change = setting.changeSeconds();
        for (int worker = 0; worker < setting.workers(); worker++) {
            compute(worker);
        }
        long evaluated = 0;
        while (now < limit) {
            double next = now + network.next();
            double computed = computing.isEmpty() ? limit : computing.peek().at();
            double until = Math.min(Math.min(next, computed), Math.min(change, limit));
            List<Object> ended = network.pass(until - now);
            now = until;
            ended.forEach(this::ended);
            while (!computing.isEmpty() && computing.peek().at() <= now) {
                computed(computing.remove());
            }
            if (now >= change) {
                change();
                change += setting.changeSeconds();
            }
            if (transfers.ordered()) {
                follow();
            }
            if (applied >= evaluated + EVALUATE_EVERY) {
                evaluated = applied;
                double loss = problem.loss(model);
                if (loss <= target) {
                    return outcome(now);
                }
                if (!Double.isFinite(loss)) {
                    break;
                }
            }
        }
        return outcome(Double.POSITIVE_INFINITY);
    }

    private Outcome outcome(double seconds) {
        return new Outcome(
                seconds,
                applied,
                dropped,
                wasted,
                applied == 0 ? 0 : (double) delays / applied,
                largest,
                received / 1e6);
    }

    /** Makes other workers slow. */
    private void change() {
        int count = (int) Math.round(setting.stragglers() * setting.workers());
        List<Integer> all = new ArrayList<>(IntStream.range(0, setting.workers()).boxed().toList());
        for (int worker = 0; worker < setting.workers(); worker++) {
            slow[worker] = false;
            network.rate(worker, setting.rate());
        }
        for (int i = 0; i < count; i++) {
            int worker = all.remove(random.nextInt(all.size()));
            slow[worker] = true;
            network.rate(worker, setting.rate() / setting.slowdown());
        }
    }

    private void compute(int worker) {
        double jitter = 0.9 - 0.1 * Math.log(1 - random.nextDouble());
        double seconds =
                setting.computeSeconds() * jitter * (slow[worker] ? setting.slowdown() : 1);
        computing.add(new Computed(now + seconds, worker, version, model));
    }

    private void computed(Computed done) {
        Update update = new Update(ids++, done.worker(), setting.bytes(), done.version(), 1);
        gradients.put(
                update.id(), problem.gradient(done.model(), done.worker(), draws[done.worker()]++));
        if (transfers.ordered()) {
            scheduler.announce(update);
        } else {
            network.start(new Part(update, null, now, 1), done.worker(), server, setting.bytes());
        }
    }

    /** Executes decisions. A sum on its own host arrives at once, so more decisions may follow. */
    private void follow() {
        List<Decision> decisions = scheduler.decide(now);
        while (!decisions.isEmpty()) {
            decisions.forEach(this::follow);
            decisions = scheduler.decide(now);
        }
    }

    private void follow(Decision decision) {
        if (decision instanceof Send send) {
            Update update = send.update();
            network.start(new Part(update, null, now, 1), update.host(), server, update.bytes());
        } else if (decision instanceof Gather gather) {
            missing.put(gather, gather.updates().size());
            for (Update update : gather.updates()) {
                if (update.host() == gather.aggregator()) {
                    ended(new Part(update, gather, now, 1));
                } else {
                    int sharing = ++gathering[gather.aggregator()];
                    Part part = new Part(update, gather, now, sharing);
                    network.start(part, update.host(), gather.aggregator(), update.bytes());
                }
            }
        } else if (decision instanceof SendSum sum) {
            network.start(new Sum(sum, now), sum.aggregator(), server, setting.bytes());
        } else if (decision instanceof Drop drop) {
            dropped++;
            gradients.remove(drop.update().id());
            compute(drop.update().host());
        }
    }

    private void ended(Object what) {
        if (what instanceof Sum sum) {
            received += setting.bytes();
            rates.observed(sum.sum().aggregator(), setting.bytes(), now - sum.since(), 1);
            scheduler.arrived(sum.sum().updates().get(0), now).forEach(this::apply);
            return;
        }
        Part part = (Part) what;
        int worker = part.update().host();
        if (part.group() != null) {
            int aggregator = part.group().aggregator();
            if (worker != aggregator) {
                int shared = Math.max(part.sharing(), gathering[aggregator]--);
                rates.observed(worker, setting.bytes(), now - part.since(), shared);
            }
            if (missing.merge(part.group(), -1, Integer::sum) == 0) {
                missing.remove(part.group());
                scheduler.gathered(part.group().updates());
            }
        } else {
            received += setting.bytes();
            if (transfers.ordered()) {
                rates.observed(worker, setting.bytes(), now - part.since(), 1);
                scheduler.arrived(part.update(), now).forEach(this::apply);
            } else if (transfers == Transfers.BOUNDED
                    && version - part.update().version() > bound) {
                wasted++;
                gradients.remove(part.update().id());
            } else {
                apply(List.of(part.update()));
            }
        }
        compute(worker);
    }

    private void apply(List<Update> updates) {
        float[] next = model.clone();
        for (Update update : updates) {
            float[] gradient = gradients.remove(update.id());
            long delay = version - update.version();
            delays += delay;
            largest = Math.max(largest, delay);
            for (int i = 0; i < next.length; i++) {
                next[i] -= (float) (learningRate * gradient[i]);
            }
        }
        applied += updates.size();
        version += updates.size();
        model = next;
    }
}
