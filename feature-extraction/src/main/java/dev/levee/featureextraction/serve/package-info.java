/** The storage tier as a server: connections, waiting requests, answers. */
package dev.levee.featureextraction.serve;
