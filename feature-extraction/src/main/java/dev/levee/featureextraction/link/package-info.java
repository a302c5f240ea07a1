/** The protocol of answers between the two tiers. */
package dev.levee.featureextraction.link;
