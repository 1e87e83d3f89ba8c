// Package collection makes and checks collections in the sense of OAIS (an archival information collection): a METS that names
// harvests which belong together, with their description and rights, and lists the containers that each is expected to have. The
// packages lie elsewhere, and know nothing of it.
//
//	file, err := collection.ReadFile("harbours.yaml")
//	result, err := collection.Make(ctx, file, collection.Options{Out: "harbours", Agent: agent})
//	report, err := collection.Validate(ctx, "harbours", collection.Packages(ctx, "packages"), collection.ValidateOptions{})
//	if report.Outcome != collection.Complete { … report.Missing … }
//
// docs/collections.md specifies both the file and the METS.
package collection
