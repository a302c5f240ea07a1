package dev.levee.operators.rounds.participant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.report.Takeover;
import dev.levee.operators.rounds.topology.Failover;
import dev.levee.operators.rounds.topology.ReadingGroup;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Two of three workers, and three replicas of which they read the first that is not silent. */
class ReplicaLogTest {
    private static final long RUN = 4;
    private static final Slices SLICES = new Slices(2, 2, 2);

    private final List<Takeover> said = new ArrayList<>();
    private final List<Long> worked = new ArrayList<>();
    private long ticket;
    private long now;

    private final Training training =
            new TrainingBuilder(
                            "replicas",
                            "strokes:",
                            Models.open("logistic", new int[] {1, 28, 28}, 10),
                            Rules.parse("average"),
                            3,
                            1)
                    .topology(Topology.crashTolerant(3, new Failover(Duration.ofMillis(1))))
                    .build();

    private final Workers workers = workers(Set.of(0, 2));

    private Workers workers(Set<Integer> here) {
        return new Workers(
                training,
                RUN,
                SLICES,
                ReadingGroup.of(training.topology()).get(0),
                new ParticipantStates() {
                    @Override
                    public boolean has(int participant) {
                        return here.contains(participant);
                    }

                    @Override
                    public WorkerState get(int participant) {
                        return WorkerState.FRESH;
                    }

                    @Override
                    public void put(int participant, WorkerState state) {}
                },
                new ParticipantOutput() {
                    @Override
                    public void compute(Work.Task task) {
                        worked.add(task.round());
                    }

                    @Override
                    public void send(GradientBlock block) {}

                    @Override
                    public void alarm(int group, Duration after, long number) {
                        ticket = number;
                    }

                    @Override
                    public void takenOver(Takeover takeover) {
                        said.add(takeover);
                    }
                },
                () -> now);
    }

    private void offer(Workers to, int server, long version) {
        to.model(
                new ModelBlock(
                        Header.model(RUN, version, new ShardId(server, 0)),
                        training.settings(server, version),
                        new float[] {version, server}));
    }

    private void offerAll(long version) {
        for (int server = 0; server < 3; server++) {
            offer(workers, server, version);
        }
    }

    @Test
    void whoStartsReadsTheFirst() {
        offerAll(0);
        offerAll(1);
        assertThat(worked).contains(0L);
        assertThat(said).containsExactly(new Takeover(0, 0, -1, 0, 2, 0, 0));
    }

    @Test
    void aFailOverSaysWhenAndHowLongTheyHadWaited() {
        offerAll(0);
        now = 10;
        offer(workers, 1, 1);
        now = 25;
        assertThat(workers.alarm(ticket)).isTrue();
        assertThat(said).hasSize(2).last().isEqualTo(new Takeover(0, 1, 0, 1, 2, 0, 15));
        offer(workers, 2, 1);
        offer(workers, 1, 2);
        assertThat(said).hasSize(2);
    }

    /**
     * A round that closed at its timeout can have the last replica continue without these workers.
     */
    @Test
    void anOlderModelIsCounted() {
        offerAll(0);
        offer(workers, 1, 1);
        offer(workers, 2, 2);
        now = 7;
        workers.alarm(ticket);
        assertThat(said).last().isEqualTo(new Takeover(0, 1, 0, 1, 2, 2, 7));
    }

    /** Who continues from one silent replica to the next has left both for the one that answers. */
    @Test
    void twoSilentReplicasAreTwoFailOversInOneRound() {
        offerAll(0);
        offer(workers, 2, 1);
        now = 3;
        workers.alarm(ticket);
        assertThat(said).hasSize(1);
        now = 8;
        workers.alarm(ticket);
        assertThat(said.subList(1, said.size()))
                .containsExactly(
                        new Takeover(0, 1, 0, 1, 2, 0, 3), new Takeover(0, 1, 1, 2, 2, 0, 5));
    }

    @Test
    void whereNoWorkerLivesNobodySaysAnything() {
        Workers empty = workers(Set.of());
        offer(empty, 0, 0);
        assertThat(said).isEmpty();
    }
}
