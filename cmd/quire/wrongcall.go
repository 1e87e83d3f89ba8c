package main

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"
)

// rewording replaces the parser's messages about wrong calls with messages for people.
var rewording = []struct {
	said *regexp.Regexp
	is   string
}{
	{regexp.MustCompile(`^expected "<([^ >]+)>( \.\.\.)?.*"$`), "the argument <$1> is missing"},
	{regexp.MustCompile(`^expected one of (.*)$`), "a subcommand is missing: one of $1"},
	{regexp.MustCompile(`^missing flags: ([^,]*)$`), "the flag $1 is missing"},
	{regexp.MustCompile(`^missing flags: (.*)$`), "flags are missing: $1"},
	{regexp.MustCompile(`^(--[^ :]+): expected .* value but got "EOL" .*$`), "$1 needs a value"},
}

// wrongCall returns an error that explains the mistake in a call, and names the help that shows the
// correct form.
func wrongCall(err error, args []string) error {
	said, next := err.Error(), `"quire help" lists the commands`
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil {
		if err := misspelled(parse.Context, args); err != nil {
			return err
		}
		n := parse.Context.Selected()
		if n != nil {
			name := commandNames(n, parse.Context.Model.Name)
			next = fmt.Sprintf("%q shows its form", "quire help "+name[len(name)-1])
		}
		if n == nil || n.Type == kong.CommandNode && len(n.Children) > 0 {
			said = strings.Replace(said, "unexpected argument ", "there is no command ", 1)
		}
	}
	for _, r := range rewording {
		said = r.said.ReplaceAllString(said, r.is)
	}
	said = strings.ReplaceAll(said, `","`, `", "`)
	if strings.HasSuffix(said, "?") {
		return fmt.Errorf("%s %s", said, next)
	}
	return fmt.Errorf("%s; %s", said, next)
}

// misspelled suggests a subcommand. It applies if the parser used the first word after a group as
// the source of its default subcommand. The word must not be an existing file, and it must be
// similar to the name of another subcommand.
func misspelled(call *kong.Context, args []string) error {
	n := call.Selected()
	if n == nil || n.Parent == nil || n.Parent.DefaultCmd != n || len(args) < 2 || isFlag(args[1]) ||
		len(n.Positional) == 0 || n.Positional[0].Name != "source" {
		return nil
	}
	if _, err := os.Lstat(args[1]); err == nil {
		return nil
	}
	for _, sibling := range n.Parent.Children {
		if d := distance(args[1], sibling.Name); sibling != n && d > 0 && d <= 2 {
			return fmt.Errorf("there is no file %s, did you mean \"quire %s %s\"?", args[1], n.Parent.Name,
				sibling.Name)
		}
	}
	return nil
}

// distance is the number of letters to put in, take out or change until one word is the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
