/** Flink's REST API, as far as Levee reads and steers clusters through it. */
package dev.levee.k8s.flink.rest;
