package dev.levee.operators.rounds.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.levee.operators.rounds.transfer.TransferScheduler.Decision;
import dev.levee.operators.rounds.transfer.TransferScheduler.Drop;
import dev.levee.operators.rounds.transfer.TransferScheduler.Gather;
import dev.levee.operators.rounds.transfer.TransferScheduler.Send;
import dev.levee.operators.rounds.transfer.TransferScheduler.SendSum;
import dev.levee.operators.rounds.transfer.TransferScheduler.Update;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

class TransferSchedulerTest {
    private static final long MEGABYTE = 1_000_000;

    private final TransferScheduler scheduler =
            new TransferScheduler(4, 1, new LinkRates(MEGABYTE), new int[0]);

    private static Update update(long id, long megabytes, long version) {
        return new Update(id, (int) id, megabytes * MEGABYTE, version, 1);
    }

    @Test
    void theShortestGoesFirstAndOneAtATime() {
        Update four = update(0, 4, 0);
        Update one = update(1, 1, 0);
        Update two = update(2, 2, 0);
        List.of(four, one, two).forEach(scheduler::announce);
        assertThat(scheduler.decide(0)).containsExactly(new Send(one));
        assertThat(scheduler.arrived(one, 1)).containsExactly(List.of(one));
        assertThat(scheduler.decide(1)).containsExactly(new Send(two));
        assertThat(scheduler.arrived(two, 3)).containsExactly(List.of(two));
        assertThat(scheduler.decide(3)).containsExactly(new Send(four));
        assertThat(scheduler.arrived(four, 7)).containsExactly(List.of(four));
        assertThat(scheduler.version()).isEqualTo(3);
    }

    @Test
    void whatWouldBeTooOldIsDroppedBeforeItIsSent() {
        for (long id = 0; id < 5; id++) {
            Update each = update(id, 1, id);
            scheduler.announce(each);
            scheduler.decide(id);
            scheduler.arrived(each, id + 1);
        }
        // Five were applied since version 0, and four may have been.
        Update old = update(9, 1, 0);
        Update young = update(10, 1, 1);
        scheduler.announce(old);
        scheduler.announce(young);
        assertThat(scheduler.decide(5)).containsExactly(new Drop(old), new Send(young));
    }

    @Test
    void theServerWaitsForOneThatOthersWouldMakeTooOld() {
        LinkRates rates = new LinkRates(MEGABYTE);
        rates.observed(7, MEGABYTE, 100, 1);
        rates.observed(1, MEGABYTE, 1, 1);
        TransferScheduler tight = new TransferScheduler(1, 1, rates);
        Update slow = new Update(7, 7, MEGABYTE, 0, 1);
        Update first = update(1, 1, 0);
        Update second = update(2, 1, 0);
        tight.announce(slow);
        assertThat(tight.decide(0)).containsExactly(new Send(slow));
        // The slow host leaves most of the link to another, and a third would be too late for both.
        tight.announce(first);
        tight.announce(second);
        assertThat(tight.decide(0)).containsExactly(new Send(first));
        assertThat(tight.arrived(first, 1)).containsExactly(List.of(first));
        assertThat(tight.version()).isEqualTo(1);
        assertThat(tight.decide(1)).containsExactly(new Drop(second));
    }

    /** Behind the fast update, the slow one would be applied to version 11. */
    @Test
    void whatWouldBeTooOldBehindAFasterUpdateGoesFirst() {
        LinkRates rates = new LinkRates(MEGABYTE);
        rates.observed(7, MEGABYTE, 100, 1);
        rates.observed(1, MEGABYTE, 1, 1);
        TransferScheduler tight = new TransferScheduler(1, 1, rates);
        tight.has(10);
        Update fast = update(1, 1, 10);
        Update slow = new Update(7, 7, MEGABYTE, 9, 1);
        tight.announce(fast);
        tight.announce(slow);

        assertThat(tight.decide(0)).containsExactly(new Send(slow), new Send(fast));
        assertThat(tight.arrived(fast, 1)).isEmpty();
        assertThat(tight.arrived(slow, 100)).containsExactly(List.of(slow), List.of(fast));
    }

    @Test
    void updatesThatWouldWaitAreAddedUpElsewhere() {
        TransferScheduler adding = new TransferScheduler(40, 1, new LinkRates(MEGABYTE), 10, 11);
        List<Update> updates = new ArrayList<>();
        for (long id = 0; id < 7; id++) {
            updates.add(update(id, 1, 0));
            adding.announce(updates.get((int) id));
        }
        List<Decision> decisions = adding.decide(0);
        assertThat(decisions.get(0)).isEqualTo(new Send(updates.get(0)));
        List<Gather> gathers = decisions.stream().skip(1).map(Gather.class::cast).toList();
        assertThat(gathers).hasSize(2);
        Gather group = gathers.get(0);
        adding.gathered(group.updates());
        assertThat(adding.decide(1)).isEmpty();
        assertThat(adding.arrived(updates.get(0), 1)).containsExactly(List.of(updates.get(0)));
        assertThat(adding.decide(1)).contains(new SendSum(group.updates(), group.aggregator()));
        assertThat(adding.arrived(group.updates().get(0), 2)).containsExactly(group.updates());
        assertThat(adding.version()).isEqualTo(1 + group.updates().size());
    }

    @Test
    void sumsTakeWhatTheyHaveTimeForUntilTheLinkIsFree() {
        TransferScheduler adding =
                new TransferScheduler(40, 1, new LinkRates(MEGABYTE), 0, 1, 2, 3, 4, 5);
        List<Update> each = new ArrayList<>();
        for (long id = 0; id < 6; id++) {
            each.add(update(id, 1, 0));
            adding.announce(each.get((int) id));
        }
        // The link is free for the first sum after 1 s, and for the second after 2 s.
        assertThat(adding.decide(0))
                .containsExactly(
                        new Send(each.get(0)),
                        new Gather(List.of(each.get(1), each.get(2)), 1),
                        new Gather(List.of(each.get(3), each.get(4), each.get(5)), 3));
    }

    @Test
    void aVersionMayBeMadeOfSeveralUpdates() {
        TransferScheduler pairs = new TransferScheduler(0, 2, new LinkRates(MEGABYTE));
        Update first = update(0, 1, 0);
        Update second = update(1, 2, 0);
        Update third = update(2, 3, 0);
        List.of(first, second, third).forEach(pairs::announce);
        assertThat(pairs.decide(0)).containsExactly(new Send(first));
        pairs.arrived(first, 1);
        assertThat(pairs.version()).isZero();
        assertThat(pairs.decide(1)).containsExactly(new Send(second));
        pairs.arrived(second, 3);
        assertThat(pairs.version()).isEqualTo(1);
        assertThat(pairs.decide(3)).containsExactly(new Drop(third));
    }

    @Test
    void anUpdateThatDoesNotComeLeavesTheLinkToOthers() {
        Update first = update(0, 1, 0);
        Update second = update(1, 2, 0);
        scheduler.announce(first);
        scheduler.announce(second);
        assertThat(scheduler.decide(0)).containsExactly(new Send(first));
        assertThat(scheduler.withdrawn(first, 1)).isEmpty();
        assertThat(scheduler.decide(1)).containsExactly(new Send(second));
    }

    @Test
    void aSlowHostIsAskedWhenNothingElseIsOnItsWay() {
        LinkRates rates = new LinkRates(MEGABYTE);
        rates.observed(7, MEGABYTE, 100, 1);
        TransferScheduler bounded = new TransferScheduler(4, 1, rates);
        for (long id = 0; id < 3; id++) {
            Update fast = update(id, 1, id);
            rates.observed((int) id, MEGABYTE, 1, 1);
            bounded.announce(fast);
            bounded.decide(id);
            bounded.arrived(fast, id + 1);
        }
        // A hundred others could be applied meanwhile, but there are none.
        Update slow = new Update(9, 7, MEGABYTE, 3, 1);
        bounded.announce(slow);
        assertThat(bounded.decide(3)).containsExactly(new Send(slow));
    }

    @Test
    void ratesAreWhatWasSeenLastAndForgottenInTime() {
        LinkRates rates = new LinkRates(100);
        assertThat(rates.host(3)).isEqualTo(100);
        rates.observed(1, 1000, 10, 1);
        rates.observed(2, 1000, 100, 1);
        assertThat(rates.host(2)).isEqualTo(10);
        assertThat(rates.host(3)).isEqualTo(55);
        // A third of the link, which two others share.
        rates.observed(2, 1000, 30, 3);
        assertThat(rates.host(2)).isEqualTo(55);
        for (int i = 0; i < 65; i++) {
            rates.observed(1, 1000, 10, 1);
        }
        assertThat(rates.host(2)).isEqualTo(100);
        assertThat(rates.server()).isEqualTo(100);
    }

    /** What a fuzzed network has on its way. */
    private record Flow(Object what, double end) {}

    /** Whatever links do and whoever is lost, no update is applied beyond the bound. */
    @Tag("long")
    @Test
    void theBoundHoldsInThreeThousandSchedules() {
        long applied = 0;
        long sums = 0;
        for (long seed = 0; seed < 3_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int bound = random.nextInt(0, 12);
            int hosts = random.nextInt(1, 9);
            int[] aggregators = random.nextBoolean() ? new int[0] : new int[] {100, 101};
            LinkRates rates = new LinkRates(MEGABYTE);
            TransferScheduler scheduler = new TransferScheduler(bound, 1, rates, aggregators);
            List<Flow> flows = new ArrayList<>();
            Map<Integer, Long> idle = new HashMap<>();
            long version = 0;
            long ids = 0;
            double now = 0;
            for (int step = 0; step < 40; step++) {
                int host = random.nextInt(hosts);
                if (idle.putIfAbsent(host, ids) == null) {
                    long computed = Math.max(0, version - random.nextInt(bound + 3));
                    scheduler.announce(
                            new Update(ids++, host, random.nextInt(1, 1000), computed, 1));
                }
                for (Decision decision : scheduler.decide(now)) {
                    if (decision instanceof Drop drop) {
                        idle.remove(drop.update().host());
                    } else {
                        flows.add(new Flow(decision, now + 100 * random.nextDouble()));
                    }
                }
                List<List<Update>> ended = List.of();
                if (!flows.isEmpty() && random.nextInt(3) > 0) {
                    Flow next = flows.remove(random.nextInt(flows.size()));
                    now = Math.max(now, next.end());
                    ended = end(scheduler, rates, next, now, idle, random);
                }
                for (List<Update> each : ended) {
                    for (Update update : each) {
                        if (version - update.version() > bound) {
                            fail("seed %d: %s at version %d", seed, update, version);
                        }
                        applied++;
                    }
                    sums += each.size() > 1 ? 1 : 0;
                    version += each.size();
                }
            }
            assertThat(scheduler.version()).isEqualTo(version);
        }
        assertThat(applied).isGreaterThan(30_000);
        assertThat(sums).isGreaterThan(30);
    }

    private static List<List<Update>> end(
            TransferScheduler scheduler,
            LinkRates rates,
            Flow flow,
            double now,
            Map<Integer, Long> idle,
            SplittableRandom random) {
        if (flow.what() instanceof Send send) {
            idle.remove(send.update().host());
            rates.observed(send.update().host(), send.update().bytes(), random.nextDouble(), 1);
            return scheduler.arrived(send.update(), now);
        }
        if (flow.what() instanceof SendSum sum) {
            return scheduler.arrived(sum.updates().get(0), now);
        }
        Gather gather = (Gather) flow.what();
        gather.updates().forEach(each -> idle.remove(each.host()));
        scheduler.gathered(gather.updates());
        return List.of();
    }
}
