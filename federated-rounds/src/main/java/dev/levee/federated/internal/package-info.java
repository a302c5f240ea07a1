/** Reads settings that are a name with arguments. Imports none of the packages beside it. */
package dev.levee.federated.internal;
