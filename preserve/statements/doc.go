// Package statements knows who may see which part of a package, from when on, and who says so: what the Web Curator Tool and PANDAS
// recorded, and what an institution says in a small YAML file (docs/rights.md). It writes that as premis:rights, reads it back
// from the METS of a package, and decides. Where two speak, the stricter holds.
//
//	file, err := rights.ReadFile(in, "rights.yaml")       // what the institution says
//	statements := rights.OfHarvest(harvest, 1, file.Words) // what the curators' system says
//	set, err := rights.Load(os.DirFS("package"))          // what the package says
//	d := set.Decide(rights.Query{URL: "http://a.example/", At: "2026-11-22"})
//	if d.Zone == model.Open { … }
package statements
