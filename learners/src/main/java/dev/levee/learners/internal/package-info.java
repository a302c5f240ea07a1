/** The models themselves; users of this module go through {@link dev.levee.learners.Models}. */
package dev.levee.learners.internal;
