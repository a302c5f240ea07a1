/** The storage tier as a server: who connects, who waits, who is answered. */
package dev.levee.featureextraction.serve;
