// Package siterules reads rules for single sites, and for habits of scripts: which captured request
// answers a request that was not captured, and which changes a body needs to work in an archive
// (docs/reference/547_site-rules.md). Rules are data: our own
// in own.yaml, and those of an archive in a file beside its settings.
//
// Rules never decide on access. They name requests that mean the same, and the caller asks for
// their captures as for any other.
package siterules
