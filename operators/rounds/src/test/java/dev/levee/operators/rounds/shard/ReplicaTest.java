package dev.levee.operators.rounds.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.topology.Standby;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;

/** A replica of two blocks of two coordinates each, with learning rate 1. */
class ReplicaTest {
    private static final Slices SLICES = new Slices(4, 4, 2);

    private static Training training(double momentum) {
        return new TrainingBuilder(
                        "replica",
                        "inline:",
                        Models.open("logistic", new int[] {1}, 2),
                        Rules.parse("average"),
                        3,
                        0)
                .work(new GradientWork(0))
                .optimizer(Optimizer.of(OptimizerKind.SGD, momentum))
                .learningRate(LearningRate.parse("constant", 1, 1))
                .topology(Topology.standingBy(new Standby(1)))
                .build();
    }

    private static ModelBlock block(Training training, long version, int block, float... values) {
        return new ModelBlock(
                Header.model(1, version, new ShardId(0, block)),
                training.settings(0, version),
                values);
    }

    private static ReplicaUpdate whole(ModelBlock model, float[]... moments) {
        return new ReplicaUpdate(model, moments, applied(model), 0);
    }

    private static ShardReport.Applied applied(ModelBlock model) {
        return new ShardReport.Applied(model.round() - 1, model.shard(), 0, 0);
    }

    @Test
    void standsInForTheNewestVersionThatAllBlocksHaveShown() {
        Training training = training(0);
        Replica replica = new Replica(training, SLICES);
        replica.seen(block(training, 1, 0, 9, 9));
        assertThat(replica.model()).isEmpty();
        replica.keep(whole(block(training, 1, 0, 1, 2)));
        assertThat(replica.model()).isEmpty();
        replica.keep(whole(block(training, 1, 1, 3, 4)));
        assertThat(replica.model().orElseThrow().distance()).isZero();
        replica.seen(block(training, 2, 0, 1, 5));
        assertThat(replica.model().orElseThrow().version()).isEqualTo(1);
        replica.seen(block(training, 2, 1, 3, 8));
        Replica.Model model = replica.model().orElseThrow();
        // 3 and 4 apart in one coordinate of each block.
        assertThat(model.version()).isEqualTo(2);
        assertThat(model.behind()).isEqualTo(1);
        assertThat(model.distance()).isCloseTo(5, within(1e-9));
        assertThat(model.blocks().get(1).values()).containsExactly(3, 4);
    }

    @Test
    void aCopyNewerThanThatIsNotUsed() {
        Training training = training(0);
        Replica replica = new Replica(training, SLICES);
        replica.keep(whole(block(training, 1, 0, 1, 2)));
        replica.keep(whole(block(training, 1, 1, 3, 4)));
        replica.keep(whole(block(training, 2, 0, 7, 7)));
        assertThat(replica.takeOver().orElseThrow().blocks().get(0).values()).containsExactly(1, 2);
        // The primary makes version 2 anew.
        replica.seen(block(training, 2, 1, 3, 5));
        assertThat(replica.model().orElseThrow().version()).isEqualTo(1);
        replica.seen(block(training, 2, 0, 1, 2));
        assertThat(replica.model().orElseThrow().distance()).isCloseTo(1, within(1e-9));
    }

    /** After a restart another process may get the updates, while this one still sees models. */
    @Test
    void aCopyThatIsTooFarIsForgotten() {
        Training training = training(0);
        Replica replica = new Replica(training, SLICES);
        replica.keep(whole(block(training, 1, 0, 1, 2)));
        replica.keep(whole(block(training, 1, 1, 3, 4)));
        replica.seen(block(training, 2, 0, 1, 2.5f));
        replica.seen(block(training, 2, 1, 3, 4));
        assertThat(replica.model().orElseThrow().distance()).isCloseTo(0.5, within(1e-9));
        replica.seen(block(training, 3, 0, 1, 3.5f));
        replica.seen(block(training, 3, 1, 3, 4));
        assertThat(replica.model().orElseThrow().distance()).isCloseTo(1.5, within(1e-9));
        assertThat(replica.takeOver()).isEmpty();
        assertThat(replica.model()).isEmpty();
    }

    @Test
    void goesOnAlongItsMomentum() {
        Training training = training(0.5);
        Replica replica = new Replica(training, SLICES);
        replica.keep(whole(block(training, 1, 0, 1, 2), new float[] {4, 0}));
        replica.keep(whole(block(training, 1, 1, 3, 4), new float[] {0, 0}));
        replica.seen(block(training, 3, 0, -2, 2));
        replica.seen(block(training, 3, 1, 3, 4));
        Replica.Model model = replica.model().orElseThrow();
        // Momentum 2, then 1.
        assertThat(model.blocks().get(0).values()).containsExactly(-2, 2);
        assertThat(model.blocks().get(0).moments()[0]).containsExactly(1, 0);
        assertThat(model.distance()).isZero();
        assertThat(model.behind()).isEqualTo(2);
    }

    /** A training whose updates are tiny sends its replica none for very long. */
    @Test
    void goesOnAlongItsMomentumForManyVersionsAtOnce() {
        Training training = training(0.5);
        Replica replica = new Replica(training, SLICES);
        replica.keep(whole(block(training, 1, 0, 1, 2), new float[] {4, 0}));
        replica.keep(whole(block(training, 1, 1, 3, 4), new float[] {0, 0}));
        long version = 1_000_000_000_000L;
        replica.seen(block(training, version, 0, -3, 2));
        replica.seen(block(training, version, 1, 3, 4));
        Replica.Model model = replica.model().orElseThrow();
        // Momentum 2, 1, 0.5, …
        assertThat(model.blocks().get(0).values()).containsExactly(-3, 2);
        assertThat(model.blocks().get(0).moments()[0]).containsExactly(0, 0);
        assertThat(model.distance()).isZero();
    }

    @Test
    void makesTheNextVersionOfAnUpdateAlone() {
        Training training = training(0.5);
        Replica replica = new Replica(training, SLICES);
        replica.keep(whole(block(training, 1, 0, 1, 2), new float[] {4, 0}));
        ModelBlock update = block(training, 2, 0, 1, 1);
        ModelBlock shown = replica.keep(new ReplicaUpdate(update, null, applied(update), 0));
        // v = 2 + 1 and 0 + 1.
        assertThat(shown.values()).containsExactly(-2, 1);
        ModelBlock later = block(training, 4, 0, 1, 1);
        assertThatThrownBy(() -> replica.keep(new ReplicaUpdate(later, null, applied(later), 0)))
                .hasMessage("a replica got the update to version 4, but lacks the one before");
    }
}
