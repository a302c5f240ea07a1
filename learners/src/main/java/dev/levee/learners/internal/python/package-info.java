/**
 * Models that a user's Python file defines. {@link dev.levee.learners.internal.python.PythonModel}
 * is what travels with a job, {@link dev.levee.learners.internal.python.PythonProcess} the user's
 * interpreter beside a learner. Nothing here loads native libraries into this process.
 */
package dev.levee.learners.internal.python;
