package dev.levee.operators.rounds.coordinator;

import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.securesum.SumOutcome;

import java.util.Arrays;
import java.util.List;

/**
 * The open round is a secure sum. Each of its four steps ends when all devices that have not left
 * have answered, or at the step's own deadline. After a start, step 1 waits for its first device
 * without a limit, because devices may be starting, too. The round closes with the rows of step 3
 * once step 4 has revealed the masks that remain on their sum. If the sum is refused, the round
 * closes without rows.
 */
final class Summing extends RoundState.Collecting {
    private final OpenSum sum;

    Summing(Coordinator coordinator, OpenRound open, OpenSum sum) {
        super(coordinator, open);
        this.sum = sum;
    }

    @Override
    int[] fixed() {
        return sum.stayed();
    }

    @Override
    void tick() {
        long now = coordinator.monotonic();
        if (open.clock().due(now) && (sum.begun() || !open.clock().starting())) {
            tell(sum.endStep());
            open.clock().arm(now);
            close();
        }
    }

    @Override
    boolean close() {
        if (sum.begun()) {
            open.clock().armOnce(coordinator.monotonic());
        }
        Cohort cohort = open.settings().cohort();
        for (int place : open.arrivals().complete()) {
            sum.added(cohort.id(place));
        }
        tell(sum.advance());
        sum.outcome().ifPresent(this::end);
        return sum.outcome().isPresent();
    }

    private void tell(List<SumMessage> messages) {
        if (!messages.isEmpty()) {
            coordinator.tell(messages);
            open.clock().arm(coordinator.monotonic()); // starts the next step's clock
        }
    }

    private void end(SumOutcome outcome) {
        sum.faults()
                .keySet()
                .forEach(
                        device ->
                                coordinator.rejected(
                                        open.number(), device, Rejection.WRONG_SHARES));
        open.clock().disarm();
        if (outcome instanceof SumOutcome.Unmasked unmasked) {
            average(rows(unmasked.stayed()), unmasked.masks());
        } else {
            average(rows(List.of()), List.of());
        }
    }

    private OpenRound.Rows rows(List<Integer> stayed) {
        int[] ids = stayed.stream().mapToInt(Integer::intValue).toArray();
        int[] places = Arrays.stream(ids).map(open.settings().cohort()::place).toArray();
        return new OpenRound.Rows(places, ids, open.arrivals().bases(places), open.f());
    }
}
