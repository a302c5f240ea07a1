/** Splits a network: predicts the cost of each cut, and chooses a cut by a rule. */
package dev.levee.featureextraction.split;
