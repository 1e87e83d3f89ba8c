package client_test

import (
	"context"
	"io"
	"log"
	"net/url"
	"os"

	"quire/oai/client"
)

func Example() {
	ctx := context.Background()
	c, err := client.New("https://a.example/oai", client.Options{UserAgent: "Quire/1 (+mailto:archive@a.example)"})
	if err != nil {
		log.Fatal(err)
	}
	// retries while the server is busy
	answer, err := c.Get(ctx, url.Values{"verb": {"ListRecords"}, "metadataPrefix": {"oai_dc"}})
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Close()
	_, err = answer.Read(client.Visitor{Record: func(r *client.Record) error {
		_, err := io.Copy(os.Stdout, r.Metadata())
		return err
	}})
	if err != nil {
		log.Fatal(err)
	}
}
