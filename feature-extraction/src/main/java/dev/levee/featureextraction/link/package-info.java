/** How answers cross the link between the two tiers. */
package dev.levee.featureextraction.link;
