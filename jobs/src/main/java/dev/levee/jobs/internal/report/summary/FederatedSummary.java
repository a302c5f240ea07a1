package dev.levee.jobs.internal.report.summary;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.levee.federated.FederatedRun;
import dev.levee.federated.devices.Coverage;
import dev.levee.federated.devices.Devices;
import dev.levee.federated.plan.VirtualRound;
import dev.levee.federated.privacy.PrivacyLoss;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.Training;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The additional fields of a federated run in {@code summary.json}. Lists by round have an entry
 * for each row of metrics.csv. Seen samples and moved bytes count the devices whose contributions
 * became rows. If a run has so many rounds that a report covers several, they count all devices
 * that were asked; if only reports name the devices of a round, lists by round are then empty, and
 * values over rounds null.
 *
 * @param samplesDone number of samples on which devices computed
 * @param roundsTo95PercentOfClasses number of rounds until samples of 95 % of the classes had been
 *     seen, null if they never were
 * @param klSeenUniform D_KL between the shares of classes seen so far and equal shares, by round,
 *     in nats; null before any sample was seen
 * @param classesSeen number of classes seen so far, by round
 * @param seenByClass samples seen by class after some of the rounds
 * @param modelBytes bytes of one model, which an asked device receives and sends back, without the
 *     overhead of frames
 * @param bytesMoved bytes sent to devices and back so far, by round
 * @param bytesPerDevice bytes sent to and from each device
 * @param asked how often each device was asked
 * @param weights weight of each device relative to the mean of all
 * @param epsilon the privacy loss ε of a device after all rounds, null without noise
 * @param delta the probability δ that the privacy loss exceeds ε
 * @param virtualSeconds virtual time at which rounds closed, by round; null without virtual time
 * @param dropped number of each device's contributions that came after the deadline of their round,
 *     or were too stale; null with a barrier and without virtual time
 * @param stalenessHistogram number of accepted contributions by staleness: how many versions the
 *     model was ahead of the one that they answer; null if rounds have a barrier
 * @param meanStaleness mean staleness of each device's accepted contributions, null if it has none
 * @param deviceScores scores of models on devices' own samples, null if there are none
 * @param histogram the histogram, null if the run trained a model
 * @param images the generated images, null if the run trained no generator
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record FederatedSummary(
        long samplesDone,
        Integer roundsTo95PercentOfClasses,
        List<Double> klSeenUniform,
        List<Integer> classesSeen,
        Seen seenByClass,
        long modelBytes,
        List<Long> bytesMoved,
        List<Long> bytesPerDevice,
        List<Integer> asked,
        List<Double> weights,
        @JsonInclude(JsonInclude.Include.NON_NULL) Double epsilon,
        @JsonInclude(JsonInclude.Include.NON_NULL) Double delta,
        @JsonInclude(JsonInclude.Include.NON_NULL) List<Double> virtualSeconds,
        @JsonInclude(JsonInclude.Include.NON_NULL) List<Integer> dropped,
        @JsonInclude(JsonInclude.Include.NON_NULL) List<Long> stalenessHistogram,
        @JsonInclude(JsonInclude.Include.NON_NULL) List<Double> meanStaleness,
        @JsonInclude(JsonInclude.Include.NON_NULL) DeviceScores deviceScores,
        @JsonInclude(JsonInclude.Include.NON_NULL) HistogramSummary histogram,
        @JsonInclude(JsonInclude.Include.NON_NULL) ImagesSummary images) {
    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** Maximum number of snapshots of the seen classes, enough for a picture. */
    private static final int MOST_SNAPSHOTS = 60;

    /**
     * The samples seen by class after some rounds.
     *
     * @param rounds numbers of rounds
     * @param samples seen samples by class, after each of these numbers of rounds
     */
    public record Seen(List<Long> rounds, List<long[]> samples) {}

    /**
     * Summarizes a run.
     *
     * @param images the generated images, null if the run trained no generator
     */
    public static FederatedSummary of(RunResult result, ImagesSummary images) {
        return new Count(result).summary(images);
    }

    /** Repeats the plans of all rounds, and counts. */
    private static final class Count {
        private final RunResult result;
        private final Training training;
        private final FederatedRun run;
        private final Devices devices;
        private final Coverage coverage;
        private final long modelBytes;
        private final int[] asked;
        private final long[] bytes;
        private final List<Double> kl = new ArrayList<>();
        private final List<Integer> classes = new ArrayList<>();
        private final List<Long> moved = new ArrayList<>();
        private final List<Long> snapshots = new ArrayList<>();
        private final List<long[]> seen = new ArrayList<>();
        private final List<VirtualRound> simulated;
        private final boolean arriving;
        private final List<Double> virtual = new ArrayList<>();
        private final int[] dropped;
        private final TreeMap<Integer, Long> histogram = new TreeMap<>();
        private final long[] counted;
        private final long[] staleness;
        private Integer covered;
        private long samples;
        private long total;

        private Count(RunResult result) {
            this.result = result;
            training = result.training();
            run = FederatedRun.of(training);
            devices = run.devices();
            coverage = new Coverage(devices.census());
            modelBytes = (long) Float.BYTES * training.model().layout().size();
            asked = new int[devices.count()];
            bytes = new long[devices.count()];
            simulated = run.simulated(result.roundCount());
            arriving = run.byArrival();
            dropped = new int[devices.count()];
            if (arriving) {
                countRefused();
            }
            counted = new long[devices.count()];
            staleness = new long[devices.count()];
        }

        /** Counts a run without plans, whose reports leave out rows of most rounds. */
        private void countAccepted() {
            long received = (long) Float.BYTES * run.floats(0);
            for (WorkerCounts each : result.workers()) {
                int device = each.worker();
                if (device >= 0 && device < asked.length) {
                    asked[device] = Math.toIntExact(each.accepted());
                    samples += each.accepted() * run.samples(device);
                    move(device, each.accepted() * (received + run.sentBytes(0)));
                }
            }
        }

        /** Repeats the plans of all rounds; returns the settings after the last one. */
        private Settings repeat() {
            Map<Long, RoundReport> reports = new HashMap<>();
            result.rounds().forEach(each -> reports.put(each.round(), each));
            // A run that continued from its topics has no reports of the rounds before.
            long last = reports.keySet().stream().mapToLong(each -> each + 1).max().orElse(0);
            long rounds = Math.max(result.roundCount(), last);
            long every = Math.max(1, -Math.floorDiv(-rounds, MOST_SNAPSHOTS));
            Settings settings = training.plan().at(training, 0);
            Planner planner = training.plan().planner(training, PlanState.NONE);
            for (long round = 0; round < rounds; round++) {
                RoundReport report = reports.get(round);
                VirtualRound virtually =
                        arriving
                                ? arrived(report)
                                : simulated.isEmpty()
                                        ? null
                                        : simulated.get(Math.toIntExact(round));
                round(round, settings, report, virtually);
                if (report != null && !simulated.isEmpty()) {
                    virtual.add(virtually.end());
                }
                if (covered == null && coverage.most()) {
                    covered = Math.toIntExact(round + 1);
                }
                if (report != null) {
                    kl.add(Summary.finite(coverage.divergence()));
                    classes.add(coverage.classes());
                    moved.add(total);
                }
                if ((round + 1) % every == 0 || round + 1 == rounds) {
                    snapshots.add(round + 1);
                    seen.add(coverage.seen());
                }
                settings = planner.next(settings, round + 1);
            }
            return settings;
        }

        private FederatedSummary summary(ImagesSummary images) {
            boolean pulled = false;
            if (arriving && result.stretch() > 1) {
                countAccepted();
            } else {
                pulled = repeat().pulls() != null || arriving;
            }
            Optional<PrivacyLoss> loss = run.privacyLoss();
            double[] weights = run.weights();
            double mean = Arrays.stream(weights).average().orElseThrow();
            boolean timed = !simulated.isEmpty();
            return new FederatedSummary(
                    samples,
                    covered,
                    kl,
                    classes,
                    new Seen(snapshots, seen),
                    modelBytes,
                    moved,
                    Arrays.stream(bytes).boxed().toList(),
                    Arrays.stream(asked).boxed().toList(),
                    Arrays.stream(weights).mapToObj(each -> each / mean).toList(),
                    loss.map(each -> each.after(training.rounds())).orElse(null),
                    loss.map(PrivacyLoss::delta).orElse(null),
                    timed ? virtual : null,
                    timed || arriving ? Arrays.stream(dropped).boxed().toList() : null,
                    pulled ? histogram() : null,
                    pulled
                            ? IntStream.range(0, counted.length)
                                    .mapToObj(
                                            i -> Summary.finite((double) staleness[i] / counted[i]))
                                    .toList()
                            : null,
                    DeviceScores.of(result.scores()),
                    HistogramSummary.of(result),
                    images);
        }

        private void countRefused() {
            for (WorkerCounts each : result.workers()) {
                if (each.worker() >= 0 && each.worker() < dropped.length) {
                    long[] rejected = each.rejected();
                    dropped[each.worker()] =
                            Math.toIntExact(
                                    rejected[Rejection.LATE.ordinal()]
                                            + rejected[Rejection.STALE.ordinal()]);
                }
            }
        }

        /** The devices of a round that only its report names; no devices if there is no report. */
        private static VirtualRound arrived(RoundReport report) {
            int[] nobody = {};
            return report == null
                    ? new VirtualRound(Double.NaN, nobody, nobody, new long[0], nobody)
                    : new VirtualRound(
                            Double.NaN,
                            report.rows(),
                            report.rows(),
                            Arrays.stream(report.ages()).asLongStream().toArray(),
                            nobody);
        }

        private List<Long> histogram() {
            int most = histogram.isEmpty() ? -1 : histogram.lastKey();
            return IntStream.rangeClosed(0, most)
                    .mapToObj(age -> histogram.getOrDefault(age, 0L))
                    .toList();
        }

        private void round(
                long round, Settings settings, RoundReport report, VirtualRound virtually) {
            long sent = run.sentBytes(round);
            // A device that keeps its model only needs the part that the last round synchronized.
            long received = round == 0 ? modelBytes : (long) Float.BYTES * run.floats(round - 1);
            for (int device : virtually == null ? settings.cohort().ids() : virtually.asked()) {
                asked[device]++;
                move(device, received);
            }
            if (virtually != null) {
                count(virtually, sent);
            }
            int[] rows =
                    arriving
                            ? virtually.rows()
                            : report != null && result.stretch() == 1
                                    ? report.rows()
                                    : settings.cohort().ids();
            for (int device : rows) {
                samples += run.samples(device);
                move(device, sent);
            }
            if (report == null || !Summary.lost(training, report)) {
                coverage.add(rows);
            }
        }

        private void count(VirtualRound round, long sent) {
            for (int i = 0; i < round.rows().length; i++) {
                int age = Math.toIntExact(round.staleness()[i]);
                histogram.merge(age, 1L, Long::sum);
                counted[round.rows()[i]]++;
                staleness[round.rows()[i]] += age;
            }
            for (int device : round.dropped()) {
                dropped[device]++;
                move(device, sent);
            }
        }

        private void move(int device, long moved) {
            bytes[device] += moved;
            total += moved;
        }
    }

    /** The virtual duration of the run in seconds, NaN without virtual time. */
    public double lastVirtualSecond() {
        return virtualSeconds == null || virtualSeconds.isEmpty()
                ? Double.NaN
                : virtualSeconds.get(virtualSeconds.size() - 1);
    }

    /** The bytes moved in the whole run. */
    public double bytes() {
        return bytesPerDevice.stream().mapToLong(Long::longValue).sum();
    }

    /** The number of classes; 1 if samples have targets. */
    public int classes() {
        return seenByClass.samples().stream().mapToInt(each -> each.length).max().orElse(1);
    }

    /** The divergence after the last round, null if there is none. */
    public Double lastKl() {
        return klSeenUniform.isEmpty() ? null : klSeenUniform.get(klSeenUniform.size() - 1);
    }

    /** Returns the text of {@code summary.json} with the fields of both. */
    public String json(Summary summary) throws IOException {
        ObjectNode all = JSON.valueToTree(summary);
        ObjectNode own = JSON.valueToTree(this);
        all.setAll(own);
        return JSON.writeValueAsString(all) + "\n";
    }

    /** Reads these fields from {@code summary.json}, if the run was federated. */
    public static Optional<FederatedSummary> parse(String json) throws IOException {
        JsonNode tree = JSON.readTree(json);
        return tree.has("klSeenUniform")
                ? Optional.of(JSON.treeToValue(tree, FederatedSummary.class))
                : Optional.empty();
    }
}
