package dev.levee.gar;

/** Creates an attack that is not part of Levee; found by {@link java.util.ServiceLoader}. */
public interface AttackFactory extends Factory<Attack> {}
