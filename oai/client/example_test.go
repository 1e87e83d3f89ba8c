package client_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"

	"quire/oai/client"
)

// The metadata of each record of a server, as it sent them.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">
			<responseDate>2026-11-22T10:00:00Z</responseDate><request verb="ListRecords">http://a.example/oai</request>
			<ListRecords><record><header><identifier>oai:a:1</identifier><datestamp>2026-11-22</datestamp></header>
			<metadata><dc xmlns="urn:dc">A title</dc></metadata></record></ListRecords></OAI-PMH>`)
	}))
	defer server.Close()

	c, err := client.New(server.URL, client.Options{UserAgent: "ours/1 (+mailto:archive@a.example)"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	// Get asks again when the server is busy; NextToken of the answer asks for the rest of a list.
	answer, err := c.Get(context.Background(), url.Values{"verb": {"ListRecords"}, "metadataPrefix": {"oai_dc"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer answer.Close()
	_, err = answer.Read(client.Visitor{Record: func(r *client.Record) error {
		metadata, err := io.ReadAll(r.Metadata())
		fmt.Printf("%s: %s\n", r.Identifier, metadata)
		return err
	}})
	fmt.Println(err)
	// Output:
	// oai:a:1: <dc xmlns="urn:dc">A title</dc>
	// <nil>
}
