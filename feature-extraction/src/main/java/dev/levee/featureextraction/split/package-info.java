/** Where a network is cut: what each place costs, and the rules that choose one. */
package dev.levee.featureextraction.split;
