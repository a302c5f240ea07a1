/**
 * A user's own modules from TorchScript files. Read {@link
 * dev.levee.learners.internal.djl.script.TorchScriptModel} first; everything native lives behind
 * {@link dev.levee.learners.internal.djl.script.TorchScript}.
 */
package dev.levee.learners.internal.djl.script;
