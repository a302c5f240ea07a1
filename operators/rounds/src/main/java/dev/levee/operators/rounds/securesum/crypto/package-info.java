/**
 * Cryptography of secure sums: key agreement, keys from secrets, encryption, shares of secrets.
 * Read {@link dev.levee.operators.rounds.securesum.crypto.Shamir} first; the rest is the JDK's.
 * Imports nothing of Levee.
 */
package dev.levee.operators.rounds.securesum.crypto;
