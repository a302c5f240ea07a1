package dev.levee.operators.rounds.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;
import dev.levee.gar.Sample;
import dev.levee.gar.block.WeightedSum;
import dev.levee.learners.Learner.GpuMemory;
import dev.levee.learners.Score;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.GradientCost;
import dev.levee.operators.rounds.HalfBatches;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.PartialSum;
import dev.levee.operators.rounds.Permission;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.StandIn;
import dev.levee.operators.rounds.StandbyPlace;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.SumTree;
import dev.levee.operators.rounds.fault.CodeFault;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.pipeline.StageState;
import dev.levee.operators.rounds.report.LocalScore;
import dev.levee.operators.rounds.report.ReplicaCounts;
import dev.levee.operators.rounds.report.ReplicaFailover;
import dev.levee.operators.rounds.report.Takeover;
import dev.levee.operators.rounds.report.TransferCounts;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.shard.ReplicaUpdate;
import dev.levee.operators.rounds.transfer.OrderedTransfers;

import org.junit.jupiter.api.Test;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The bytes of records in savepoints, between processes and on topics, by digests. Whoever changes
 * one must give its format another version, and read this one.
 */
class WrittenBytesTest {
    private static final ShardId SHARD = new ShardId(1, 3);
    private static final Settings SETTINGS =
            new Settings(Cohort.first(3), 1, 3, 16, 0.5, true, true, 48);
    private static final LookResult LOOKED =
            new LookResult(2, new double[] {0.25}, new double[] {1, 2, 3}, new double[] {4, 5});
    private static final Takeover TAKEOVER = new Takeover(2, 200, 0, 1, 11, 3, 2_000_000);
    private static final CodeFault FAULT =
            new CodeFault(17, "k", "m", "t", new TreeMap<>(Map.of(3, 1L, 5, 2L)));
    private static final LocalScore SCORE =
            new LocalScore(4, 9, 20, Score.ACCURACY, 0.5, 1.5, 0.75, 1.25);
    private static final StandbyPlace PLACE = new StandbyPlace(1, 2, "host/7", 41);
    private static final ShardReport.Arrived ARRIVED =
            new ShardReport.Arrived(
                    7, SHARD, 2, 6, 1.5, new double[] {1, 2}, 0.5, 1000, 2000, 3000);

    private static byte[] bytes32(int value) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private static <T> void add(Map<String, byte[]> all, Codec<T> codec, List<? extends T> values) {
        for (T each : values) {
            byte[] bytes = codec.bytes(each);
            all.merge(
                    each.getClass().getSimpleName(),
                    bytes,
                    (a, b) -> {
                        byte[] both = Arrays.copyOf(a, a.length + b.length);
                        System.arraycopy(b, 0, both, a.length, b.length);
                        return both;
                    });
            assertThat(codec.bytes(codec.of(bytes))).as(each.toString()).isEqualTo(bytes);
        }
    }

    private static Instruction.Decide decide(Reduction reduction) {
        return new Instruction.Decide(
                8,
                SHARD,
                new int[] {0, 2},
                new long[] {7, 8},
                RowMap.select(new int[] {1}, 2),
                List.of(Reference.values()),
                reduction,
                SETTINGS);
    }

    private static Map<String, byte[]> written() {
        Map<String, byte[]> all = new LinkedHashMap<>();
        SumMessage.Keys keys = new SumMessage.Keys(3, bytes32(1), bytes32(2));
        SumMessage.Sealed sealed =
                new SumMessage.Sealed(5, new byte[] {7, 8, 9}, bytes32(3), bytes32(4));
        List<SumMessage> sums =
                List.of(
                        keys,
                        new SumMessage.Roster(11, 12, List.of(keys, keys)),
                        new SumMessage.Shares(3, bytes32(5), bytes32(6), List.of(sealed)),
                        new SumMessage.Delivery(4, List.of(new SumMessage.Dealt(6, sealed))),
                        new SumMessage.Row(3, new int[] {1, -2, 3}),
                        new SumMessage.Closing(List.of(1, 2, 5)),
                        new SumMessage.Reveal(
                                3, List.of(new SumMessage.Told(8, bytes32(7))), List.of(9)),
                        new SumMessage.Added(4),
                        new SumMessage.StepEnded(),
                        new SumMessage.Left(6));
        add(all, SumMessageCodec.INSTANCE, sums);
        List<ShardReport> reports =
                List.of(
                        ARRIVED,
                        new ShardReport.Combined(List.of(ARRIVED, ARRIVED), 99),
                        new ShardReport.Dropped(7, SHARD, 2, Rejection.STALE),
                        new ShardReport.Adopted(7, SHARD),
                        new ShardReport.Refused(1, 2, Rejection.DUPLICATE, 5),
                        new ShardReport.Computed(7, 1, 2, new GradientCost(16, 500, 4000)),
                        new ShardReport.TakenOver(TAKEOVER),
                        new ShardReport.Raised(1, FAULT),
                        new ShardReport.OnGpus(
                                1, List.of(new GpuMemory("host", 1, "GPU", 9, 4711, 5, 7))),
                        new ShardReport.Tested(1, SCORE),
                        new ShardReport.Placed(1, 2, 4, "host"),
                        new ShardReport.Gathered(7, 1, 2, 10, 20),
                        new ShardReport.Announced(7, 1, 2, 4000, 0.5, "host"),
                        new ShardReport.Standing(1, PLACE, 2, 0.125),
                        new ShardReport.Copied(7, SHARD, 4096),
                        new ShardReport.Said(7, 1, keys),
                        new ShardReport.Seen(7, SHARD, 1, LOOKED),
                        new ShardReport.Scored(7, 1, 2, 0.75),
                        new ShardReport.Applied(7, SHARD, 10, 20),
                        new ShardReport.Applied(7, SHARD, 10, 20, LOOKED, new byte[] {1, 2}));
        add(all, Codecs.REPORT, reports);
        Look look =
                new Look(
                        true,
                        true,
                        true,
                        true,
                        List.of(Reference.ORIGIN),
                        new Sample(0.5, 10, 1000, 3));
        List<LoopMessage> messages =
                new ArrayList<>(
                        List.of(
                                new ModelBlock(
                                        Header.model(5, 9, SHARD), SETTINGS, new float[] {1, -2}),
                                new Instruction.LookAgain(
                                        8,
                                        SHARD,
                                        1,
                                        new int[] {0, 2},
                                        new long[] {7, 8},
                                        RowMap.identity(2, 3),
                                        look),
                                new Permission(1, 2, 7, true),
                                new SumTree(1, 7, new int[] {0, 0, 2}),
                                new StandIn(SHARD, PLACE, null, null),
                                new StandIn(SHARD, PLACE, new float[] {1}, new float[][] {{2}})));
        sums.forEach(each -> messages.add(new SumNotice(1, 7, each)));
        for (Reduction each :
                List.of(
                        new Reduction.Mean(),
                        new Reduction.Median(true),
                        new Reduction.TrimmedMean(2),
                        new Reduction.MeanAroundMedian(3),
                        new Reduction.MeanAroundTrimmedMean(1, 4))) {
            messages.add(decide(each));
        }
        add(all, Codecs.LOOP, messages);
        add(all, Codecs.TRANSFER_COUNTS, List.of(new TransferCounts(1, 2, 3)));
        add(
                all,
                Codecs.TRANSFERS,
                List.of(
                        new OrderedTransfers.State(
                                new TransferCounts(1, 2, 3),
                                new TreeMap<>(Map.of("a", 1.5, "b", 2.5)),
                                List.of(ARRIVED))));
        add(
                all,
                Codecs.REPLICA_COUNTS,
                List.of(new ReplicaCounts(1, 2, 3, 4, List.of(new ReplicaFailover(5, 6, 7, 0.5)))));
        StageState.Sent sent = new StageState.Sent(4, new float[] {1, 2});
        add(all, Codecs.STAGE_STATE, List.of(new StageState(sent, null)));
        GradientBlock alone =
                new GradientBlock(
                        Header.gradient(5, 9, 8, 2, SHARD), 1.5, 0.25, 11, 12, new float[] {1, -2});
        WeightedSum sum = new WeightedSum(2);
        sum.add(new float[] {1, -2}, 1);
        add(
                all,
                Codecs.GRADIENT,
                List.of(
                        alone,
                        alone.with(new HalfBatches(0.5, 0.75)),
                        GradientBlock.of(
                                new PartialSum(List.of(alone.summed(), alone.summed()), sum), 13)));
        ShardReport.Applied applied = new ShardReport.Applied(7, SHARD, 10, 20);
        ModelBlock block = new ModelBlock(Header.model(5, 9, SHARD), SETTINGS, new float[] {1, -2});
        add(
                all,
                Codecs.REPLICA_UPDATE,
                List.of(
                        new ReplicaUpdate(block, null, applied, 1),
                        new ReplicaUpdate(block, new float[][] {{3}, {4}}, applied, -1)));
        return all;
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes))
                    .substring(0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** Types of a sealed family, and of the families in it. */
    private static Stream<Class<?>> leaves(Class<?> family) {
        return family.isSealed()
                ? Arrays.stream(family.getPermittedSubclasses()).flatMap(WrittenBytesTest::leaves)
                : Stream.of(family);
    }

    /** What has no kind cannot leave its process, which no test with one process shows. */
    @Test
    void everyTypeOfAFamilyHasAKind() {
        Map<Class<?>, KindCodec<?>> families =
                Map.of(
                        Reduction.class, RuleCodec.REDUCTION,
                        Instruction.class, InstructionCodec.INSTANCE,
                        ShardReport.class, ReportCodec.INSTANCE,
                        SumMessage.class, SumMessageCodec.INSTANCE,
                        LoopMessage.class, Codecs.MESSAGES);
        families.forEach(
                (family, codec) ->
                        assertThat(leaves(family)).hasSizeGreaterThan(3).allMatch(codec::takes));
    }

    @Test
    void theLowerMedianOfBulyanAsInGarfieldTravels() {
        LoopMessage sent = decide(new Reduction.MeanAroundLowerMedian(3));
        byte[] bytes = Codecs.LOOP.bytes(sent);
        Instruction.Decide read = (Instruction.Decide) Codecs.LOOP.of(bytes);
        assertThat(read.reduction()).isEqualTo(new Reduction.MeanAroundLowerMedian(3));
        assertThat(read.next()).isEqualTo(SETTINGS);
    }

    @Test
    void recordsAreWrittenInTheseBytes() {
        assertThat(
                        written().entrySet().stream()
                                .map(each -> each.getKey() + " " + digest(each.getValue()))
                                .collect(Collectors.joining("\n")))
                .isEqualTo(
                        """
                        Keys c0d33c75172a892b
                        Roster 901f1f86866a6659
                        Shares 4c038222d7fd489e
                        Delivery 67ed12f6de30741e
                        Row c79af3e4702a8141
                        Closing db36d1c776aa7b6f
                        Reveal 7dfc8613aa693b18
                        Added 2dba5349fd39a01d
                        StepEnded 2b4c342f5433ebe5
                        Left 21e5c83fd9dd9363
                        Arrived 09e7df0e26ff919f
                        Combined 831cec36e2d7a4cc
                        Dropped e5228d9206d11fa1
                        Adopted 16ff6a283883cb21
                        Refused 0d408f471fcaa028
                        Computed c21c505882067763
                        TakenOver 0b01e89ce5a9ef99
                        Raised 4c6e1c2e0824a517
                        OnGpus ce43c7410aa5d9e6
                        Tested ededd51548f995de
                        Placed 8364c4f63eb3fcdb
                        Gathered f14300f421f386c1
                        Announced 298c47afde1a6c70
                        Standing a3b5da7ff8d093f0
                        Copied 67f4d5320ea2b5b7
                        Said 4af4cfcf74a740b5
                        Seen d9b3b8b26315ebfb
                        Scored 319cb35128b7273d
                        Applied bed0be3b776480d3
                        ModelBlock 46bff0c6f8a69ebe
                        LookAgain 3f5d27c053ad6bd9
                        Permission b28b4910bed1ed90
                        SumTree 4a4af03a61d55627
                        StandIn 5e66425efa896455
                        SumNotice f8e9c23d04d5b5db
                        Decide af99a287f64ced6b
                        TransferCounts ca73761ddabfffcb
                        State 2ce920086250b651
                        ReplicaCounts 5f41953c18111b4f
                        StageState bba4c138b8f240cb
                        GradientBlock 2eba9be5a1fcaf42
                        ReplicaUpdate c288ff7e42df2bbe""");
    }
}
