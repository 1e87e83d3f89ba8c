package antivirus

import (
	"fmt"
	"path/filepath"
	"strings"

	"quire/internal/sandbox"
)

// Cleaner is an external program that cleans bytestreams.
type Cleaner struct {
	Name    string // of the program, without its folder
	Line    string // as configured
	command sandbox.Command
}

// NewCleaner reads the line that names a program and its arguments, separated by blanks. Arguments
// with blanks are in single or double quotes. {input} is the file with the infected bytestream,
// {output} the file that the program makes; without them they are standard input and output. No
// shell is involved. The error names the problem of the line, or a program that does not exist.
func NewCleaner(line string) (*Cleaner, error) {
	args, err := splitCommand(line)
	if err != nil {
		return nil, fmt.Errorf("the cleaner %q: %w", line, err)
	}
	c := &Cleaner{Line: line, command: sandbox.Command{Args: args}}
	if err := c.command.Check(); err != nil {
		return nil, fmt.Errorf("the cleaner %q: %w", line, err)
	}
	c.Name = filepath.Base(args[0])
	return c, nil
}

// splitCommand splits a line at its blanks, except within quotes.
func splitCommand(line string) ([]string, error) {
	var all []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			inWord, quote = true, r
		case quote == 0 && (r == ' ' || r == '\t'):
			if inWord {
				all = append(all, word.String())
				word.Reset()
				inWord = false
			}
		default:
			inWord = true
			word.WriteRune(r)
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the quotation mark %c is not closed", quote)
	}
	if inWord {
		all = append(all, word.String())
	}
	return all, nil
}
