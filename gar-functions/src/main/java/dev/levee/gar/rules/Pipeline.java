package dev.levee.gar.rules;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.PreAggregation;
import dev.levee.gar.Reference;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Pre-aggregations followed by a rule. The stages' maps multiply, so rows are mixed only once, when
 * the result is reduced. Each stage that needs statistics of mixed rows costs one more look.
 *
 * @param before the pre-aggregations in order; at least one
 * @param rule the final rule
 */
public record Pipeline(List<PreAggregation> before, Rule rule) implements Rule {
    public Pipeline {
        before = List.copyOf(before);
        rule.withoutScores("so no pre-aggregation can precede it");
        if (before.isEmpty()) {
            throw new IllegalArgumentException(
                    "a pipeline needs a pre-aggregation before its rule");
        }
        for (PreAggregation step : before) {
            if (!step.keepsSenders() && !rule.trusted().isEmpty()) {
                throw new IllegalArgumentException(
                        "%s trusts %s, but %s mixes its row with others and cannot precede it"
                                .formatted(
                                        rule.name(),
                                        String.join(", ", rule.trusted()),
                                        step.name()));
            }
        }
    }

    @Override
    public String name() {
        return Stream.concat(before.stream().map(PreAggregation::name), Stream.of(rule.name()))
                .collect(Collectors.joining(" | "));
    }

    @Override
    public int minimumRows(int f) {
        return IntStream.rangeClosed(0, before.size())
                .map(stage -> fewest(stage, f))
                .max()
                .orElseThrow();
    }

    /** Fewest rows of a round with which a stage gets enough; the rule is the last stage. */
    private int fewest(int stage, int f) {
        int limit = stage < before.size() ? before.get(stage).minimumRows(f) : rule.minimumRows(f);
        int least = 1;
        int most = Integer.MAX_VALUE;
        while (least < most) {
            int middle = least + (most - least) / 2;
            if (outputs(stage, middle) >= limit) {
                most = middle;
            } else {
                least = middle + 1;
            }
        }
        return least;
    }

    /**
     * Checks the limit of each step, and the rule's limit for the number of rows that the steps
     * output.
     */
    @Override
    public void check(int n, int f) {
        Rule.super.check(n, f);
        rule.check(outputs(before.size(), n), f);
    }

    /** Number of rows that a stage gets from a round of this number of rows. */
    private int outputs(int stage, int rows) {
        int left = rows;
        for (PreAggregation step : before.subList(0, stage)) {
            left = step.outputs(left);
        }
        return left;
    }

    /**
     * The limit that needs the most rows with f = 1, followed by the steps that change the number
     * of rows before it applies, such as {@code n ≥ 2f + 3 after bucketing(2)}.
     */
    @Override
    public String limit() {
        int strictest = before.size();
        for (int stage = before.size() - 1; stage >= 0; stage--) {
            strictest = fewest(stage, 1) > fewest(strictest, 1) ? stage : strictest;
        }
        String limit = strictest < before.size() ? before.get(strictest).limit() : rule.limit();
        int rows = fewest(strictest, 1);
        String changing =
                IntStream.range(0, strictest)
                        .filter(stage -> outputs(stage, rows) != outputs(stage + 1, rows))
                        .mapToObj(stage -> before.get(stage).name())
                        .collect(Collectors.joining(" | "));
        return changing.isEmpty() ? limit : limit + " after " + changing;
    }

    @Override
    public Look look() {
        return before.get(0).look();
    }

    @Override
    public boolean needsPrevious() {
        return rule.needsPrevious()
                || before.stream()
                        .anyMatch(step -> step.look().references().contains(Reference.PREVIOUS));
    }

    @Override
    public boolean remembers() {
        return rule.remembers();
    }

    @Override
    public boolean takesWeights() {
        return rule.takesWeights() && before.stream().allMatch(PreAggregation::takesWeights);
    }

    @Override
    public boolean gossips() {
        return rule.gossips();
    }

    @Override
    public List<String> trusted() {
        return rule.trusted();
    }

    @Override
    public Rule as(String self) {
        return new Pipeline(before, rule.as(self));
    }

    @Override
    public Rule among(int participants) {
        return new Pipeline(before, rule.among(outputs(before.size(), participants)));
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        List<Integer> starts = stagesThatLook();
        int last = starts.size() - 1;
        if (phase > last) {
            return rule.decide(phase - last, mixed, looked, atStage(before.size(), round), state);
        }
        // Pre-aggregations mix only rows, so drop columns for references from the first map.
        RowMap map = phase == 0 ? RowMap.identity(round.rows(), round.rows()) : mixed;
        LookResult seen = looked;
        for (int stage = starts.get(phase); stage < before.size(); stage++) {
            map = before.get(stage).map(seen, atStage(stage, round)).after(map);
            Look next = stage + 1 < before.size() ? before.get(stage + 1).look() : rule.look();
            if (!next.nothing()) {
                return new Step.LookAgain(map, next);
            }
            seen = LookResult.nothing(next.points(map.outputs()));
        }
        int rows = map.outputs();
        Round own = atStage(before.size(), round);
        Step step = rule.decide(0, RowMap.identity(rows, rows), seen, own, state);
        if (step instanceof Step.Reduce reduce) {
            return new Step.Reduce(
                    reduce.map().after(map), reduce.reduction(), reduce.state(), reduce.scores());
        }
        Step.LookAgain again = (Step.LookAgain) step;
        return new Step.LookAgain(again.map().after(map), again.look());
    }

    /**
     * The stage that each phase's look belongs to. The last phase is also the rule's own phase 0.
     */
    private List<Integer> stagesThatLook() {
        List<Integer> stages = new ArrayList<>(List.of(0));
        for (int stage = 1; stage <= before.size(); stage++) {
            Look look = stage < before.size() ? before.get(stage).look() : rule.look();
            if (!look.nothing()) {
                stages.add(stage);
            }
        }
        return stages;
    }

    /** The round as a stage sees it; the rule is the last stage. */
    private Round atStage(int stage, Round round) {
        Round seen = round;
        for (PreAggregation step : before.subList(0, stage)) {
            seen = step.after(seen);
        }
        return seen;
    }
}
