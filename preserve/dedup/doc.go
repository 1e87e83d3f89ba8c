// Package dedup writes WARC files again, with a revisit record (ISO 28500:2017, 6.7.2, profile identical-payload-digest) in the place
// of each record whose payload was captured earlier and is stored elsewhere; and brings the full records back, byte for byte.
//
//	stored, err := dedup.OpenFolder(ctx, "harvests/2019") // or a repository
//	report, err := dedup.Run(ctx, "harvests/2020", dedup.Options{Out: "slim", Against: []dedup.Holding{stored}, Agent: quire})
//	report, err = dedup.Undo(ctx, "slim", dedup.Options{Out: "full", Against: []dedup.Holding{stored}, Agent: quire})
//	report, err = dedup.Annotations(ctx, harvest, options) // revisit records for what only a log tells of
//
// No digest that somebody wrote in a header decides anything: what is compared is computed from the bytes. A record that is not
// whole, that is not what its own digests say, or that could not be brought back stays as it is, and the report says why.
// docs/dedup.md tells the rules, and docs/decisions/0010 why they are so.
package dedup
