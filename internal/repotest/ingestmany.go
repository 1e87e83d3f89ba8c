package repotest

import "fmt"

// IngestMany stores this many open packages. Each has a capture of its own URL, a revisit of it,
// and a record that no reader may see.
func (r *Repository) IngestMany(packages int) {
	r.t.Helper()
	for n := range packages {
		url, body := fmt.Sprintf("http://a.example/%d", n), fmt.Sprint("page ", n)
		r.Ingest(Package{ID: fmt.Sprintf("p-%04d", n), Rights: "access: open",
			Containers: map[string]string{"a.warc": "" +
				Response(fmt.Sprint(n, "-1"), url, "2020-01-02T03:04:05.6Z", "text/html", body) +
				Revisit(fmt.Sprint(n, "-2"), url, "2021-01-02T03:04:05Z", "text/html", body, url,
					"2020-01-02T03:04:05Z") +
				Record("resource", fmt.Sprint(n, "-3"), "dns:a.example", "2020-01-02T03:04:04Z", "text/dns",
					"1.2.3.4")}})
	}
}
