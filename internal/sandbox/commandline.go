package sandbox

import (
	"slices"
	"strings"
)

// inputName returns the name of the file with the bytestream, in the program's folder.
func (q *Question) inputName() string {
	if q.Extension == "" {
		return inputName
	}
	return inputName + "." + q.Extension
}

// CommandLine returns the command line of [Command.Ask] for a question, in the quoting of a POSIX
// shell, with file names relative to the program's folder. It returns "" for arguments that
// [Command.CheckArgs] refuses.
func (c *Command) CommandLine(q Question) string {
	p, err := c.placeNamed("", q.Extension)
	if err != nil {
		return ""
	}
	for i, arg := range p.args {
		p.args[i] = quoted(strings.ReplaceAll(arg, "{url}", q.URL))
	}
	return strings.Join(p.args, " ")
}

// PersistentCommandLine returns the command line with the effect of [Persistent.Ask]: the program
// and its options, then the file.
func (c *Command) PersistentCommandLine(q Question) string {
	one := Command{Args: append(slices.Clip(c.Args), q.inputName())}
	return one.CommandLine(q)
}

// quoted returns an argument as a POSIX shell reads it.
func quoted(arg string) string {
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			strings.ContainsRune("%+,-./:=@_", c)
	}
	if arg != "" && strings.IndexFunc(arg, func(c rune) bool { return !plain(c) }) < 0 {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
