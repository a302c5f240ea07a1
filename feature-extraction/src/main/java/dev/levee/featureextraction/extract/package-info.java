/** Requests for features, the computation of features, and their encoding for the link. */
package dev.levee.featureextraction.extract;
