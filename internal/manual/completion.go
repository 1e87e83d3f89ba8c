package manual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// scripts ask the program itself: "PROGRAM complete -- WORD…", of which the last is not finished.
// Where it has no answer, the shell completes names of files.
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
compdef _quire quire
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

// Script returns the script by which a shell completes the words of the program: bash, zsh or fish.
func Script(shell string) (string, error) {
	script, ok := scripts[shell]
	if !ok {
		return "", fmt.Errorf("there is no completion for %q: ask for bash, zsh or fish", shell)
	}
	return script, nil
}

// Candidates returns the words that can stand for the last of these, which is not finished. None
// means that a file may stand there.
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

// named is the command of that name; "quire help" has those of the program.
func named(n *kong.Node, word string) *kong.Node {
	for _, child := range n.Children {
		if child.Name == word && word != "help" {
			return child
		}
	}
	return nil
}

// valued is the flag that is written there, when its value is the next word.
func valued(n *kong.Node, word string) *kong.Flag {
	for _, f := range flagsOf(n) {
		if word == "--"+f.Name && !f.IsBool() && !f.IsCounter() {
			return f
		}
	}
	return nil
}
