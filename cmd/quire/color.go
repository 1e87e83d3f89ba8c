package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"quire/internal/humanize"
)

// colorFlag is of all commands. Help and errors are coloured before it is parsed: see chosenColor.
type colorFlag struct {
	Color string `enum:"auto,always,never" default:"auto" placeholder:"WHEN" help:"Colours: auto (default), always or never. auto colours on a terminal, unless NO_COLOR is set or TERM is dumb."`
}

// chosenColor returns the value of --color in a call, or "" if the flag is not given.
func chosenColor(args []string) string {
	chosen := ""
	for i, arg := range args {
		switch value, with := strings.CutPrefix(arg, "--color="); {
		case arg == "--":
			return chosen
		case with:
			chosen = value
		case arg == "--color" && i+1 < len(args):
			chosen = args[i+1]
		}
	}
	return chosen
}

// colored reports whether colours are to be written to out (https://no-color.org).
func colored(chosen string, out any, getenv func(string) string) bool {
	switch chosen {
	case "always":
		return true
	case "never":
		return false
	}
	f, isFile := out.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) || getenv("NO_COLOR") != "" || getenv("TERM") == "dumb" {
		return false
	}
	// the old Windows console prints the codes as text; terminals that set one of these variables
	// do not
	return runtime.GOOS != "windows" || getenv("WT_SESSION")+getenv("TERM") != ""
}

// colors settles where colours are written.
func (t *terminal) colors(chosen string) {
	t.chosen = chosen
	t.shades = humanize.Palette{On: colored(chosen, t.raw, os.Getenv)}
	t.errShades = humanize.Palette{On: colored(chosen, t.err, os.Getenv)}
}

// outcome is a word for success or failure in a result. It is printed in colour.
type outcome string

// coloured is a text with a colour, which takes as much room as it shows.
type coloured struct{ shown, text string }

// Format implements fmt.Formatter.
func (c coloured) Format(f fmt.State, _ rune) {
	room := ""
	if width, ok := f.Width(); ok {
		room = strings.Repeat(" ", max(0, width-utf8.RuneCountInString(c.shown)))
	}
	if f.Flag('-') {
		fmt.Fprint(f, c.text, room)
		return
	}
	fmt.Fprint(f, room, c.text)
}
