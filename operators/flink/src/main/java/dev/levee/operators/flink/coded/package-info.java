/**
 * Coded products in a DataStream job. Read {@link dev.levee.operators.flink.coded.CodedProducts}
 * first. Imports no part that runs a round.
 */
package dev.levee.operators.flink.coded;
