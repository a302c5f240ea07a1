package dev.levee.gar;

/** Creates a rule that is not part of Levee; found by {@link java.util.ServiceLoader}. */
public interface RuleFactory extends Factory<Rule> {}
