/**
 * The inputs of policies: predicted rounds, goodput, demand and auctions of slots. Read {@link
 * dev.levee.k8s.allocator.internal.Goodput} first.
 */
package dev.levee.k8s.allocator.internal;
