package main

import (
	"os"
	"path/filepath"

	"github.com/alecthomas/kong"

	"quire/internal/manual"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Run prints the script.
func (c *completionCmd) Run(t *terminal) error {
	script, err := manual.Script(c.Shell)
	if err != nil {
		return err
	}
	t.print(script)
	return nil
}

// completeCmd is called by the completion scripts.
type completeCmd struct {
	Words []string `arg:"" optional:"" passthrough:""`
}

// Run prints the candidates for the last word, one per line.
func (c *completeCmd) Run(t *terminal, call *kong.Context) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	for _, word := range manual.Candidates(call.Model, words) {
		t.print(word + "\n")
	}
	return nil
}

type manCmd struct {
	Out       string `required:"" placeholder:"FOLDER" help:"The folder for the pages; it is created if missing."`
	Reference bool   `hidden:"" help:"Write the generated pages of docs/reference instead."`
}

//go:generate go run . man --reference --out ../../docs/reference

const exitStatus = "0: success. 1: the content has problems. 2: the call or the system has problems."

// Run writes the pages.
func (c *manCmd) Run(t *terminal, call *kong.Context) error {
	if err := os.MkdirAll(c.Out, 0o755); err != nil {
		return err
	}
	program := manual.Program{Version: "Quire " + version, Overview: overview, Status: exitStatus}
	pages := manual.Pages(call.Model, program)
	if c.Reference {
		pages = []manual.Page{
			{Name: "300_command-line.md", Text: manual.Reference(call.Model, program)},
			{Name: "305_settings.md", Text: manual.Settings(call.Model)},
		}
	}
	for _, p := range pages {
		if err := os.WriteFile(filepath.Join(c.Out, p.Name), p.Text, 0o644); err != nil {
			return err
		}
	}
	if c.Reference {
		t.printf("%d pages in %s\n", len(pages), c.Out)
		return nil
	}
	t.printf("%d man pages in %s: man --local-file %s\n", len(pages), c.Out, filepath.Join(c.Out, pages[0].Name))
	return nil
}
