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
	Requests int    `default:"200" placeholder:"N" help:"The most questions to ask. Long lists are followed as far as that goes. Default: ${default}."`
	Schemas  string `type:"existingdir" placeholder:"FOLDER" help:"Validate every answer against the XML schemas in this folder, which has drivers/oai-all.xsd (docs/reference/580_oai.md)."`

	Delay        time.Duration `placeholder:"TIME" help:"Wait so long between questions: 2s."`
	User         string        `placeholder:"NAME" help:"User, where the server wants one."`
	PasswordFile string        `type:"existingfile" placeholder:"FILE" help:"File with the password of the user."`
	TokenFile    string        `type:"existingfile" placeholder:"FILE" help:"File with a bearer token, where the server wants one."`
	jsonFlag
}

// Run tests a server, and prints each defect at once.
func (c *oaiCheckCmd) Run(ctx context.Context, t *terminal) error {
	if c.Requests < 1 {
		return fmt.Errorf("--requests %d leaves nothing to ask", c.Requests)
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
				t.line(fmt.Sprintf("asking: question %d, of %d at most", asked, c.Requests))
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

// printCheck prints the result.
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
	t.printf("%s, %s; \"quire explain CODE\" gives the next step\n",
		humanize.Number(int64(r.Errors), "error", "errors"), humanize.Number(int64(r.Warnings), "warning", "warnings"))
}
