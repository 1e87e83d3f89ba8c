package store_test

import (
	"context"
	"log"

	"quire/preserve/aip"
	"quire/repository/store"
)

func Example() {
	ctx := context.Background()
	s, err := store.Open(ctx, "repo", store.Options{Describe: aip.Describe}) // finishes or undoes interrupted changes
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	receipt, err := s.Ingest(ctx, "package", store.IngestOptions{}) // every copy written, synced, read back, matched
	if err != nil {
		log.Fatal(err)
	}
	_, err = s.Audit(ctx, nil, store.AuditOptions{}) // every byte of every copy, in place
	if err != nil {
		log.Fatal(err)
	}
	_, err = s.Export(ctx, receipt.ID, "out", store.ExportOptions{}) // bit for bit, as ingested
	if err != nil {
		log.Fatal(err)
	}
}
