/**
 * The filter of classes that Flink's processes restore. It is a jar of its own, on the class path
 * of the JVM, and imports nothing but the JDK.
 */
package dev.levee.jobs.restore;
