package dev.levee.gar;

/** Makes a rule from outside Levee, found by {@link java.util.ServiceLoader}. */
public interface RuleFactory extends Factory<Rule> {}
