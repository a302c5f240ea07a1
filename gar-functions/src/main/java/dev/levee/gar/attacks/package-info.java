/**
 * The attacks. More than 25 files because each is an attack. Users open them by name through {@link
 * dev.levee.gar.Attacks}.
 */
package dev.levee.gar.attacks;
