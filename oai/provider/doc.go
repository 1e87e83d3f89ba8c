// Package provider answers OAI-PMH 2.0 (http://www.openarchives.org/OAI/openarchivesprotocol.html): a net/http handler over whatever
// has records.
//
//	p, err := provider.New(backend, provider.Options{Name: "Example", BaseURL: "https://a.example/oai", AdminEmail: []string{"oai@a.example"}, Key: key})
//	http.Handle("/oai", p)
package provider
