/** The compute tier: processes answers from the link, up to the trained layers. */
package dev.levee.featureextraction.compute;
