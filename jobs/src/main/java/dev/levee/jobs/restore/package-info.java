/**
 * The filter of classes that Flink's processes may restore. It is in a separate jar on the class
 * path of the JVM, and imports only the JDK.
 */
package dev.levee.jobs.restore;
