package wget

import (
	"slices"
	"strings"
)

// splitArguments splits Wget's list of its arguments: each between quotation marks, with a space
// after it, and without escaping of inner quotation marks. An argument ends at a mark, a space and
// a mark, or at the end of the text.
func splitArguments(list string) []string {
	list = strings.TrimSpace(list)
	if list == "" {
		return nil
	}
	list = strings.TrimSuffix(strings.TrimPrefix(list, `"`), `"`)
	return strings.Split(list, `" "`)
}

// option is one option, as given and by its name in a wgetrc file.
type option struct {
	Name  string // in lower case, without dashes and underscores: "warcfile", "useragent"
	Value string // "on" or "off" if it takes no value
	Words string // as given: "-l 8", "--level=8"
}

// command is Wget's command line.
type command struct {
	Options []option
	URLs    []string
}

// readCommand parses arguments like getopt_long: short options in one word, long ones by any unique
// prefix.
func readCommand(args []string) command {
	var c command
	for i := 0; i < len(args); i++ {
		a := args[i]
		next := func() (string, bool) {
			if i+1 < len(args) {
				i++
				return args[i], true
			}
			return "", false
		}
		switch {
		case a == "--":
			c.URLs = append(c.URLs, args[i+1:]...)
			return c
		case strings.HasPrefix(a, "--"):
			c.long(a, next)
		case strings.HasPrefix(a, "-") && len(a) > 1:
			c.short(a, next)
		default:
			c.URLs = append(c.URLs, a)
		}
	}
	return c
}

// long parses an option that begins with two dashes.
func (c *command) long(word string, next func() (string, bool)) {
	name, value, given := strings.Cut(word[2:], "=")
	name = fullName(name)
	positive := strings.TrimPrefix(name, "no-")
	switch {
	case !given && takesValue[name]:
		value, _ = next()
		word += " " + value
	case !given && positive != name && !takesValue[name]:
		name, value = positive, "off"
	case !given:
		value = "on"
	}
	c.add(name, value, word)
}

// short parses a word of one-letter options. Letters after -n are separate options: -nv, -nH, -np.
func (c *command) short(word string, next func() (string, bool)) {
	for rest := word[1:]; rest != ""; {
		letter := rest[:1]
		rest = rest[1:]
		if letter == "n" {
			for _, l := range rest {
				c.add(withoutOf[l], "on", "-n"+string(l))
			}
			return
		}
		name := letterNames[letter]
		if name == "" {
			name = letter
		}
		if !takesValue[name] {
			c.add(name, "on", "-"+letter)
			continue
		}
		value, words := rest, "-"+letter+rest
		if rest == "" {
			value, _ = next()
			words += " " + value
		}
		c.add(name, value, words)
		return
	}
}

// add adds an option. -e gives a line of a wgetrc file: an option under another name.
func (c *command) add(name, value, words string) {
	if name == "execute" {
		if command, v, ok := strings.Cut(value, "="); ok {
			name, value = strings.TrimSpace(command), strings.TrimSpace(v)
		}
	}
	c.Options = append(c.Options, option{plainName(name), value, words})
}

// plainName returns the name in the form of a wgetrc file.
func plainName(name string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(name))
}

// last returns the value of an option, or "". If the option occurs several times, the last value is
// used.
func (c *command) last(names ...string) string {
	for _, o := range slices.Backward(c.Options) {
		if slices.Contains(names, o.Name) {
			return o.Value
		}
	}
	return ""
}

// on reports whether an option without a value is set.
func (c *command) on(names ...string) bool {
	switch v := strings.ToLower(c.last(names...)); v {
	case "", "off", "no", "0", "false":
		return false
	}
	return true
}
