package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// headings makes the lines of a help text bold that end with a colon and are not indented.
func (t *terminal) headings(text string) string {
	if !t.shades.On {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\n")
		usage, rest, isUsage := strings.Cut(bare, " ")
		switch {
		case isUsage && usage == "Usage:":
			line = t.shades.Heading(usage) + " " + rest + "\n"
		case strings.HasSuffix(bare, ":") && !strings.HasPrefix(bare, " "):
			line = t.shades.Heading(bare) + "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// help prints the help of a command. The help of a group is followed by the help of its default
// subcommand, because people omit the name of this subcommand.
func (t *terminal) help(o kong.HelpOptions, call *kong.Context) error {
	text, err := helpOf(o, call)
	if err != nil {
		return err
	}
	if n := call.Selected(); n != nil && n.DefaultCmd != nil {
		below, err := kong.Trace(call.Kong, append(strings.Fields(n.FullPath())[1:], n.DefaultCmd.Name))
		if err != nil {
			return err
		}
		usage, err := helpOf(o, below)
		if err != nil {
			return err
		}
		text += "\n" + form(usage)
	}
	_, err = fmt.Fprint(call.Stdout, t.headings(text))
	return err
}

func helpOf(o kong.HelpOptions, call *kong.Context) (string, error) {
	var text bytes.Buffer
	to := call.Stdout
	defer func() { call.Stdout = to }()
	call.Stdout = &text
	err := kong.DefaultHelpPrinter(o, call)
	return text.String(), err
}

// form returns only the usage, arguments and flags of a help text.
func form(text string) string {
	usage, rest, _ := strings.Cut(text, "\n\n")
	for _, section := range []string{"\nArguments:\n", "\nFlags:\n"} {
		if i := strings.Index(rest, section); i >= 0 {
			return usage + "\n" + rest[i:]
		}
	}
	return usage + "\n"
}
