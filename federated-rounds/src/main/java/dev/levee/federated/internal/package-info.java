/** Reads settings that are a name with arguments. Imports no sibling package. */
package dev.levee.federated.internal;
