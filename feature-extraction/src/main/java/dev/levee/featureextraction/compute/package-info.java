/** The compute tier: what becomes of answers behind the link, up to the trained layers. */
package dev.levee.featureextraction.compute;
