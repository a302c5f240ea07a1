/** Chooses the number of images that each waiting request may have in memory at a time. */
package dev.levee.featureextraction.batch;
