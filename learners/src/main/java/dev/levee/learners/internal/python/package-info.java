/**
 * Models that a user's Python file defines. {@link dev.levee.learners.internal.python.PythonModel}
 * is serialized with a job. {@link dev.levee.learners.internal.python.PythonProcess} is the user's
 * interpreter, which runs beside a learner. This package loads no native libraries into the JVM.
 */
package dev.levee.learners.internal.python;
