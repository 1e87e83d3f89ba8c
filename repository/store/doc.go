// Package store keeps packages in the stacks: a repository of several checked copies, each an OCFL 1.1 storage root
// (https://ocfl.io/1.1/spec/), under promises that hold through kill -9 and full disks (docs/store.md states them and the
// protocol step by step).
//
//	s, err := store.Open(ctx, repo, store.Options{Describe: pack.Describe}) // finishes or undoes what was cut off
//	receipt, err := s.Ingest(ctx, "package", store.IngestOptions{})         // every copy written, synced, read back, matched
//	report, err := s.Audit(ctx, nil, store.AuditOptions{})                  // every byte of every copy, in place
//	result, err := s.Export(ctx, receipt.ID, "out", store.ExportOptions{})  // bit for bit, as it came
//	err = s.Close()
//
// An error that is a [*ContentError] says that something is wrong with what was given or with what is kept; any other
// error is about the call or the machine.
package store
