// Package store keeps packages in the stacks: a repository of several checked copies, each an OCFL
// 1.1 storage root (https://ocfl.io/1.1/spec/), under promises that hold through kill -9 and full
// disks (docs/operations/850_store.md states them and the protocol step by step).
//
// An error that is a [*ContentError] says that something is wrong with what was given or with what
// is kept; any other error is about the call or the machine.
package store
