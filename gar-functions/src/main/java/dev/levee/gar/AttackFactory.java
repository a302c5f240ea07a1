package dev.levee.gar;

/** Makes an attack from outside Levee, found by {@link java.util.ServiceLoader}. */
public interface AttackFactory extends Factory<Attack> {}
