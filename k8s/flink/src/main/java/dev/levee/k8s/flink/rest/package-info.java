/** A client for the parts of Flink's REST API that Levee uses. */
package dev.levee.k8s.flink.rest;
