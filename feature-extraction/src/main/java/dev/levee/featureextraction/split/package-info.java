/** The split of a network: the cost of each place, and the rules that choose one. */
package dev.levee.featureextraction.split;
