/** Requests for features, how they are computed, and how they are written for the link. */
package dev.levee.featureextraction.extract;
