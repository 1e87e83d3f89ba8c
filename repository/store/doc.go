// Package store keeps packages in a repository of several verified copies, each an OCFL 1.1 storage
// root (https://ocfl.io/1.1/spec/). Its guarantees hold through kill -9 and full disks;
// docs/operations/850_store.md states them and describes the protocol step by step.
//
// A [*ContentError] reports a problem in the package to store or in the stored content. Any other
// error is about the call or the system.
package store
