package main

import (
	"context"
	"fmt"
	"time"

	"quire/internal/humanize"
	"quire/oai/check"
	"quire/oai/client"
)

type oaiCheckCmd struct {
	BaseURL  string `arg:"" name:"baseurl" help:"Base URL of the OAI-PMH server."`
	Requests int    `default:"200" placeholder:"N" help:"Maximum number of requests. Long lists are followed up to this limit. Default: ${default}."`
	Schemas  string `type:"existingdir" placeholder:"FOLDER" help:"Validate every response against the XML schemas in this folder, which has drivers/oai-all.xsd (docs/reference/580_oai.md)."`

	Delay        time.Duration `placeholder:"TIME" help:"Time to wait between requests: 2s."`
	User         string        `placeholder:"NAME" help:"User name, if the server requires one."`
	PasswordFile string        `type:"existingfile" placeholder:"FILE" help:"File with the password."`
	TokenFile    string        `type:"existingfile" placeholder:"FILE" help:"File with a bearer token, if the server requires one."`
	jsonFlag
}

// Run tests a server and prints each defect at once.
func (c *oaiCheckCmd) Run(ctx context.Context, t *terminal) error {
	if c.Requests < 1 {
		return fmt.Errorf("--requests %d allows no request", c.Requests)
	}
	o := check.Options{Requests: c.Requests, Schemas: c.Schemas,
		Client: client.Options{UserAgent: "Quire/" + version + " (oai check)", User: c.User, Delay: c.Delay}}
	var err error
	if o.Client.Password, err = secretIn(c.PasswordFile); err != nil {
		return err
	}
	if o.Client.Token, err = secretIn(c.TokenFile); err != nil {
		return err
	}
	if !c.JSON {
		o.Found = func(f check.Finding) {
			t.clearLine()
			t.printf("%s\n", f.String())
		}
	}
	if began := time.Now(); t.watched() {
		o.Step = func(asked int) {
			if time.Since(began) >= barDelay {
				t.line(fmt.Sprintf("testing: request %d, of %d at most", asked, c.Requests))
			}
		}
	}
	r, err := check.Run(ctx, c.BaseURL, o)
	t.clearLine()
	if err != nil {
		return err
	}
	if c.JSON {
		err = t.json(r)
	} else {
		printCheck(t, r)
	}
	if err == nil && r.Errors > 0 {
		err = errContent
	}
	return err
}

func printCheck(t *terminal, r *check.Report) {
	for _, u := range r.Undone {
		t.printf("not tried: %s\n", u)
	}
	name := r.BaseURL
	if r.Name != "" {
		name = r.Name + ", " + r.BaseURL
	}
	t.printf("%s: %s, %s in lists\n", name, humanize.Number(int64(r.Requests), "question", "questions"),
		humanize.Number(r.Records, "header", "headers"))
	switch {
	case r.Errors+r.Warnings > 0:
	case len(r.Undone) > 0:
		t.print("all checks passed\n")
		return
	default:
		t.print("nothing is wrong\n")
		return
	}
	t.printf("%s, %s; \"quire explain CODE\" shows the next step\n",
		humanize.Number(int64(r.Errors), "error", "errors"), humanize.Number(int64(r.Warnings), "warning", "warnings"))
}
