package dev.levee.operators.flink.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.kafka.job.VersionPart;
import dev.levee.gar.RuleState;
import dev.levee.operators.flink.internal.records.VerifiedBlock;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.codec.RecordFormat;
import dev.levee.operators.rounds.coordinator.CoordinatorMemory;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.training.PlanState;

import org.junit.jupiter.api.Test;

import java.util.HexFormat;
import java.util.List;

/** The bytes of the engine's own records; those of the protocol have tests beside it. */
class RecordKindTest {
    private static <T> void check(RecordKind kind, T value, String hex) {
        RecordFormat<T> format = kind.format();
        byte[] bytes = format.bytes(value);
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(hex);
        assertThat(format.bytes(format.of(bytes))).isEqualTo(bytes);
    }

    @Test
    void verifiedBlocks() {
        check(
                RecordKind.VERIFIED,
                new VerifiedBlock(1, 2, 3, new byte[] {4, 5}, 6),
                "000000010000000200000000000000030000000204050000000000000006");
    }

    @Test
    void partsOfVersions() {
        Settings settings = new Settings(Cohort.first(3), 1, 3, 16, 0.5, true, true, 48);
        ModelBlock model =
                new ModelBlock(Header.model(5, 9, new ShardId(1, 3)), settings, new float[] {1});
        check(
                RecordKind.PART,
                new VersionPart.Block(model, new float[][] {{2}}, new float[] {3}),
                "0101000000000000000500000000000000090000000000000001ffffffff0000"
                        + "00030000000000000009000000004e0000000100040000000300000003000400"
                        + "0000010000000400040000000300000005000400000010000000060008000000"
                        + "000000000000e03f070004000000030000000800080000003000000000000000"
                        + "000000010000803f0000000100000001000000400000000100004040");
        check(
                RecordKind.PART,
                new VersionPart.Told(new SumNotice(1, 7, new SumMessage.Closing(List.of(1, 2)))),
                "020600000001000000000000000706000000020000000100000002");
        CoordinatorMemory memory =
                new CoordinatorMemory(
                        9,
                        new RuleState(new double[] {0.5}),
                        List.of(new WorkerCounts(0, 5, 4, new long[] {0, 6})),
                        null,
                        new PlanState(new double[] {2}));
        check(
                RecordKind.PART,
                new VersionPart.Memory(1, memory),
                "0000000001000000000000000000000000ffffffffffffffff01000000000000"
                        + "0009000000013fe0000000000000000000010000000000000000000000050000"
                        + "0000000000040101000000000000000600000000014000000000000000");
    }
}
