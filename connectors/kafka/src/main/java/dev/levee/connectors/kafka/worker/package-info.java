/**
 * A worker outside the job. Read {@link dev.levee.connectors.kafka.worker.ExternalWorker} first: it
 * takes the newest model, has a {@link dev.levee.connectors.kafka.worker.WorkerSession} compute,
 * and sends the answer. Does not depend on the job's side.
 */
package dev.levee.connectors.kafka.worker;
