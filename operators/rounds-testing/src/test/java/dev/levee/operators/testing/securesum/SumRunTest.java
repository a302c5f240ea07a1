package dev.levee.operators.testing.securesum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.securesum.SumMessage.FromDevice;
import dev.levee.operators.rounds.securesum.SumMessage.Reveal;
import dev.levee.operators.rounds.securesum.SumMessage.Sealed;
import dev.levee.operators.rounds.securesum.SumMessage.Shares;
import dev.levee.operators.rounds.securesum.SumMessage.Told;
import dev.levee.operators.rounds.securesum.SumOutcome;
import dev.levee.operators.rounds.securesum.SumTask;
import dev.levee.operators.rounds.securesum.plan.SumRates;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

class SumRunTest {
    private static final int LENGTH = 5;
    private static final long DEADLINE = 1000;

    private static SumTask task(int asked, String rates) {
        return new SumTask(1_795_000_000_000_000L, 7, asked, SumRates.parse(rates));
    }

    /** Devices have numbers with gaps between them. */
    private static TreeMap<Integer, int[]> values(int devices, SplittableRandom random) {
        TreeMap<Integer, int[]> values = new TreeMap<>();
        for (int i = 0; i < devices; i++) {
            values.put(3 * i + 1, random.ints(LENGTH).toArray());
        }
        return values;
    }

    private static int[] sum(Map<Integer, int[]> values, Iterable<Integer> of) {
        int[] sum = new int[LENGTH];
        for (int id : of) {
            for (int i = 0; i < LENGTH; i++) {
                sum[i] += values.get(id)[i];
            }
        }
        return sum;
    }

    private static List<Integer> takingAtLeast(
            int steps, Iterable<Integer> ids, Map<Integer, DeviceBehavior> behaviors) {
        List<Integer> taking = new ArrayList<>();
        for (int id : ids) {
            if (!behaviors.containsKey(id) || behaviors.get(id).steps() >= steps) {
                taking.add(id);
            }
        }
        return taking;
    }

    /**
     * Whoever leaves at whatever step: the sum is exactly that of the devices that sent values, or
     * the round is refused because too few are left at a step.
     */
    @Tag("long")
    @Test
    void anyPatternOfLeavingEndsWithTheExactSumOrARefusal() {
        int summed = 0;
        int refused = 0;
        for (long seed = 0; seed < 50; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int devices = random.nextInt(5, 14);
            SumTask task = task(devices, "dropout=0.4");
            TreeMap<Integer, int[]> values = values(devices, random);
            Map<Integer, DeviceBehavior> behaviors = new HashMap<>();
            double leaving = random.nextDouble(0.6);
            for (int id : values.keySet()) {
                if (random.nextDouble() < leaving) {
                    behaviors.put(id, DeviceBehavior.leavingAfter(random.nextInt(4)));
                }
            }
            SumRun.Result result = new SumRun(task, values, behaviors, DEADLINE, seed).run();
            assertThat(result.faults()).as("seed %d", seed).isEmpty();
            int fewest = task.rates().fewest(devices);
            if (result.outcome() instanceof SumOutcome.Unmasked unmasked) {
                summed++;
                assertThat(unmasked.stayed())
                        .as("seed %d", seed)
                        .isEqualTo(takingAtLeast(3, values.keySet(), behaviors))
                        .hasSizeGreaterThanOrEqualTo(fewest);
                assertThat(result.sum())
                        .as("seed %d", seed)
                        .isEqualTo(sum(values, unmasked.stayed()));
            } else {
                refused++;
                // The graph is complete, so with enough devices each secret has enough shares.
                assertThat(takingAtLeast(4, values.keySet(), behaviors).size())
                        .as("seed %d", seed)
                        .isLessThan(fewest);
            }
        }
        assertThat(summed).isGreaterThan(10);
        assertThat(refused).isGreaterThan(10);
    }

    /** As many as may leave do, all at one step, on a graph where devices have few neighbors. */
    @Tag("long")
    @Test
    void asManyAsMayLeaveDoAtAnyStep() {
        for (int steps = 0; steps < 4; steps++) {
            SplittableRandom random = new SplittableRandom(steps);
            SumTask task = task(60, "dropout=0.05");
            assertThat(task.rates().plan(60).degree()).isLessThan(40);
            TreeMap<Integer, int[]> values = values(60, random);
            Map<Integer, DeviceBehavior> behaviors = new HashMap<>();
            for (int leaver = 0; leaver < 3; leaver++) {
                behaviors.put(3 * (19 * leaver + 7) + 1, DeviceBehavior.leavingAfter(steps));
            }
            SumRun.Result result = new SumRun(task, values, behaviors, DEADLINE, steps).run();
            assertThat(result.outcome()).isInstanceOf(SumOutcome.Unmasked.class);
            assertThat(result.sum())
                    .isEqualTo(sum(values, takingAtLeast(3, values.keySet(), behaviors)));
        }
    }

    /** Messages that come after a deadline are those of devices that have left. */
    @Test
    void devicesThatAreTooSlowAreLeftOut() {
        int summed = 0;
        for (long seed = 0; seed < 40; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            TreeMap<Integer, int[]> values = values(9, random);
            Map<Integer, DeviceBehavior> behaviors = new HashMap<>();
            for (int id : values.keySet()) {
                long delay = random.nextInt(5) == 0 ? 2 * DEADLINE : random.nextLong(1, 900);
                behaviors.put(id, new DeviceBehavior(4, delay, UnaryOperator.identity()));
            }
            SumRun.Result result =
                    new SumRun(task(9, "dropout=0.3"), values, behaviors, DEADLINE, seed).run();
            if (result.outcome() instanceof SumOutcome.Unmasked unmasked) {
                summed++;
                assertThat(result.sum())
                        .as("seed %d", seed)
                        .isEqualTo(sum(values, unmasked.stayed()));
                assertThat(unmasked.stayed())
                        .allMatch(id -> behaviors.get(id).delayMicros() < DEADLINE);
            }
            assertThat(result.micros()).isLessThanOrEqualTo(4 * (DEADLINE + 2));
        }
        assertThat(summed).isGreaterThan(10);
    }

    private static byte[] flipped(byte[] bytes) {
        byte[] flipped = bytes.clone();
        flipped[5] ^= 1;
        return flipped;
    }

    private static FromDevice tellingWrongShares(FromDevice message) {
        return message instanceof Reveal reveal
                ? new Reveal(
                        reveal.device(),
                        reveal.shares().stream()
                                .map(each -> new Told(each.owner(), flipped(each.share())))
                                .toList(),
                        reveal.unreadable())
                : message;
    }

    @Test
    void whoTellsWrongSharesIsFoundOutAndTheSumIsRight() {
        for (long seed = 0; seed < 5; seed++) {
            TreeMap<Integer, int[]> values = values(10, new SplittableRandom(seed));
            Map<Integer, DeviceBehavior> behaviors = new HashMap<>();
            behaviors.put(1, new DeviceBehavior(4, 1, SumRunTest::tellingWrongShares));
            behaviors.put(4, DeviceBehavior.leavingAfter(2));
            SumRun.Result result =
                    new SumRun(task(10, "dropout=0.3"), values, behaviors, DEADLINE, seed).run();
            assertThat(result.faults().keySet()).isEqualTo(Set.of(1));
            assertThat(result.faults().get(1))
                    .matches("sent a share of device \\d+ other than the one it received");
            assertThat(result.sum())
                    .isEqualTo(sum(values, takingAtLeast(3, values.keySet(), behaviors)));
        }
    }

    @Test
    void tooManyWrongSharesRefuseTheRound() {
        TreeMap<Integer, int[]> values = values(10, new SplittableRandom(1));
        Map<Integer, DeviceBehavior> behaviors = new HashMap<>();
        IntStream.range(0, 5)
                .forEach(
                        i ->
                                behaviors.put(
                                        3 * i + 1,
                                        new DeviceBehavior(4, 1, SumRunTest::tellingWrongShares)));
        SumRun.Result result =
                new SumRun(task(10, "dropout=0.3,collude=0.3"), values, behaviors, DEADLINE, 1)
                        .run();
        assertThat(result.sum()).isNull();
        assertThat(result.faults().keySet()).isEqualTo(behaviors.keySet());
        assertThat(((SumOutcome.Refused) result.outcome()).why())
                .matches(
                        "\\d shares of a secret of device \\d+ have come, and 5 make it up; 0"
                                + " neighbors could not read theirs");
    }

    /** Its neighbors can't read them, so nobody can tell them: it is as if it had shared none. */
    @Test
    void whoDealsSharesThatNobodyCanReadIsNamed() {
        TreeMap<Integer, int[]> values = values(10, new SplittableRandom(1));
        UnaryOperator<FromDevice> lie =
                message ->
                        message instanceof Shares shares
                                ? new Shares(
                                        shares.device(),
                                        shares.roster(),
                                        shares.seedDigest(),
                                        shares.shares().stream()
                                                .map(
                                                        each ->
                                                                new Sealed(
                                                                        each.to(),
                                                                        flipped(each.sealed()),
                                                                        each.keyDigest(),
                                                                        each.seedDigest()))
                                                .toList())
                                : message;
        SumRun.Result result =
                new SumRun(
                                task(10, "dropout=0.3"),
                                values,
                                Map.of(4, new DeviceBehavior(4, 1, lie)),
                                DEADLINE,
                                1)
                        .run();
        assertThat(((SumOutcome.Refused) result.outcome()).why())
                .isEqualTo(
                        "0 shares of a secret of device 4 have come, and 3 make it up; 6 neighbors"
                                + " could not read theirs");
    }

    /** The seed that it has shared is not the one it has masked with. */
    @Test
    void whoDealsSharesOfAnotherSecretIsFoundOutAndTheRoundRefused() {
        TreeMap<Integer, int[]> values = values(10, new SplittableRandom(1));
        UnaryOperator<FromDevice> lie =
                message ->
                        message instanceof Shares shares
                                ? new Shares(
                                        shares.device(),
                                        shares.roster(),
                                        flipped(shares.seedDigest()),
                                        shares.shares())
                                : message;
        SumRun.Result result =
                new SumRun(
                                task(10, "dropout=0.3"),
                                values,
                                Map.of(4, new DeviceBehavior(4, 1, lie)),
                                DEADLINE,
                                1)
                        .run();
        assertThat(result.faults())
                .containsExactly(Map.entry(4, "dealt shares that do not make up its secret"));
        assertThat(result.outcome())
                .isEqualTo(
                        new SumOutcome.Refused(
                                "device 4 has dealt shares that do not make up its secret"));
    }

    /** For each device, the server hears shares of one secret only: whatever else is a fault. */
    @Test
    void nobodyTellsSharesOfBothSecretsOfADevice() {
        TreeMap<Integer, int[]> values = values(12, new SplittableRandom(3));
        List<Reveal> reveals = new ArrayList<>();
        UnaryOperator<FromDevice> overheard =
                message -> {
                    if (message instanceof Reveal reveal) {
                        reveals.add(reveal);
                    }
                    return message;
                };
        Map<Integer, DeviceBehavior> behaviors = new HashMap<>();
        values.keySet().forEach(id -> behaviors.put(id, new DeviceBehavior(4, 1, overheard)));
        behaviors.put(7, DeviceBehavior.leavingAfter(2));
        SumRun.Result result =
                new SumRun(task(12, "dropout=0.2"), values, behaviors, DEADLINE, 3).run();
        assertThat(result.faults()).isEmpty(); // each share told was of the kind asked for
        assertThat(reveals).isNotEmpty();
        for (Reveal reveal : reveals) {
            Set<Integer> owners = new HashSet<>();
            assertThat(reveal.shares()).allMatch(each -> owners.add(each.owner()));
        }
    }
}
