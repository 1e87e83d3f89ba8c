package manual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// scripts are shell scripts that call the program: "PROGRAM complete -- WORD…", with an unfinished
// last word. Without an answer, the shell completes file names.
var scripts = map[string]string{
	"bash": `_quire() {
	local IFS=$'\n'
	COMPREPLY=($(quire complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _quire quire
`,
	"zsh": `#compdef quire
_quire() {
	local -a found
	found=("${(@f)$(quire complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	if [[ -n "$found" ]]; then
		compadd -a found
	else
		_files
	fi
}
if [[ "${funcstack[1]}" == _quire ]]; then
	_quire "$@"
else
	compdef _quire quire
fi
`,
	"fish": `function __quire_complete
	set -l words (commandline -opc)
	set -l found (quire complete -- $words[2..-1] (commandline -ct) 2>/dev/null)
	if test (count $found) -gt 0
		printf '%s\n' $found; return
	end
	__fish_complete_path (commandline -ct)
end
complete -c quire -f -a '(__quire_complete)'
`,
}

// Script returns the completion script for a shell: bash, zsh or fish.
func Script(shell string) (string, error) {
	script, ok := scripts[shell]
	if !ok {
		return "", fmt.Errorf("no completion for %q: choose bash, zsh or fish", shell)
	}
	return script, nil
}

// Candidates returns the possible completions of the last word. No candidates means that a file
// name is possible.
func Candidates(app *kong.Application, words []string) (found []string) {
	if len(words) == 0 {
		words = []string{""}
	}
	begun := words[len(words)-1]
	n, waiting := app.Node, (*kong.Flag)(nil)
	for _, word := range words[:len(words)-1] {
		switch child := named(n, word); {
		case waiting != nil:
			waiting = nil
		case strings.HasPrefix(word, "-"):
			waiting = valued(n, word)
		case child != nil:
			n = child
		}
	}
	switch {
	case waiting != nil && waiting.Enum != "":
		found = waiting.EnumSlice()
	case waiting != nil:
	case strings.HasPrefix(begun, "-"):
		for _, f := range flagsOf(n) {
			found = append(found, "--"+f.Name)
		}
	default:
		for _, child := range n.Children {
			if !child.Hidden {
				found = append(found, child.Name)
			}
		}
	}
	return slices.DeleteFunc(found, func(word string) bool { return !strings.HasPrefix(word, begun) })
}

// named returns the command of that name; "quire help" has the program's commands.
func named(n *kong.Node, word string) *kong.Node {
	for _, child := range n.Children {
		if child.Name == word && word != "help" {
			return child
		}
	}
	return nil
}

// valued returns the flag in word, if its value is the next word.
func valued(n *kong.Node, word string) *kong.Flag {
	for _, f := range flagsOf(n) {
		if word == "--"+f.Name && !f.IsBool() && !f.IsCounter() {
			return f
		}
	}
	return nil
}
