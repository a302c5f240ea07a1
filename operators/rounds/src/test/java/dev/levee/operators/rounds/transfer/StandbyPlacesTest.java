package dev.levee.operators.rounds.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.StandbyPlace;

import org.junit.jupiter.api.Test;

class StandbyPlacesTest {
    private static StandbyPlaces<String> said(String[] processes, long... versions) {
        StandbyPlaces<String> places = new StandbyPlaces<>();
        boolean complete = false;
        for (int subtask = processes.length - 1; subtask >= 0; subtask--) {
            assertThat(complete).isFalse();
            complete =
                    places.add(
                            new StandbyPlace(
                                    subtask,
                                    processes.length,
                                    processes[subtask],
                                    versions[subtask]),
                            "of " + subtask);
        }
        assertThat(complete).isTrue();
        return places;
    }

    @Test
    void theReplicaIsInTheProcessWithTheFewestShards() {
        String[] processes = {"a", "a", "b", "b"};
        assertThat(said(processes, -1, -1, -1, -1).keeper(new int[] {0})).isEqualTo(2);
        assertThat(said(processes, -1, -1, -1, -1).keeper(new int[] {3})).isZero();
        assertThat(said(processes, -1, -1, -1, -1).keeper(new int[] {0, 2, 3})).isZero();
        assertThat(said(new String[] {"a", "a"}, -1, -1).keeper(new int[] {0})).isZero();
    }

    @Test
    void theNewestVersionCountsIfItIsNewerThanTheCheckpoints() {
        StandbyPlaces<String> places = said(new String[] {"a", "b", "c"}, 7, 12, 12);
        assertThat(places.newerThan(11)).contains("of 1");
        assertThat(places.newerThan(12)).isEmpty();
        assertThat(said(new String[] {"a"}, -1).newerThan(-1)).isEmpty();
    }
}
