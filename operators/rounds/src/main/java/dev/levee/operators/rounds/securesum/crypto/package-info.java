/**
 * Cryptography of secure sums: key agreement, key derivation, encryption, secret sharing. Read
 * {@link dev.levee.operators.rounds.securesum.crypto.Shamir} first; the other classes wrap
 * algorithms of the JDK. Imports nothing of Levee.
 */
package dev.levee.operators.rounds.securesum.crypto;
