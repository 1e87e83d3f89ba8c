package heritrix

import (
	"strconv"
	"strings"
)

// property is a line of a Java property list.
type property struct{ key, value string }

// readProperties parses the text format of java.util.Properties, as far as operators use it in a
// crawler-beans.cxml: comments, "=", ":" or a space after the key, line continuation with a
// backslash, and a backslash before a letter.
func readProperties(text string) []property {
	var all []property
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimLeft(lines[i], " \t\f")
		if line == "" || line[0] == '#' || line[0] == '!' {
			continue
		}
		var whole strings.Builder
		for continued(line) && i+1 < len(lines) {
			whole.WriteString(line[:len(line)-1])
			i++
			line = strings.TrimLeft(lines[i], " \t\f")
		}
		whole.WriteString(line)
		all = append(all, cutProperty(whole.String()))
	}
	return all
}

// continued reports whether a line ends in an odd number of backslashes.
func continued(line string) bool {
	return (len(line)-len(strings.TrimRight(line, `\`)))%2 == 1
}

// cutProperty cuts a line at the first separator without a backslash before it.
func cutProperty(line string) property {
	end := 0
	for end < len(line) && !strings.ContainsRune("=: \t\f", rune(line[end])) {
		if line[end] == '\\' && end+1 < len(line) {
			end++
		}
		end++
	}
	rest := strings.TrimLeft(line[end:], " \t\f")
	if rest != "" && (rest[0] == '=' || rest[0] == ':') {
		rest = strings.TrimLeft(rest[1:], " \t\f")
	}
	return property{unescape(line[:end]), unescape(rest)}
}

// unescape removes the backslashes.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out.WriteByte(s[i])
			continue
		}
		i++
		if s[i] == 'u' && i+5 <= len(s) {
			if code, err := strconv.ParseUint(s[i+1:i+5], 16, 16); err == nil {
				out.WriteRune(rune(code))
				i += 4
				continue
			}
		}
		if to := strings.IndexByte("nrtf", s[i]); to >= 0 {
			out.WriteByte("\n\r\t\f"[to])
			continue
		}
		out.WriteByte(s[i])
	}
	return out.String()
}
