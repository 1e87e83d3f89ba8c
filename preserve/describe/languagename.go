package describe

import (
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// codesWithoutName are the codes of ISO 639-2 that are no language.
var codesWithoutName = map[string]string{"mul": "Multiple languages", "zxx": "No linguistic content",
	"und": "Undetermined", "mis": "Uncoded languages"}

// languageName returns the English name of a language, for a note that readers see: "French",
// "Dutch (Belgium)", "Traditional Chinese". It returns false if the name is unknown.
func languageName(tag string) (string, bool) {
	low := strings.ToLower(tag)
	if name, ok := codesWithoutName[low]; ok {
		return name, true
	}
	for t, b := range bibliographic {
		if b == low {
			low = t
		}
	}
	parsed, err := language.Parse(low)
	if err != nil {
		return "", false
	}
	if name := display.English.Tags().Name(parsed); name != "" {
		return name, true
	}
	base, _ := parsed.Base()
	name := display.English.Languages().Name(base)
	return name, name != ""
}

// languageNames returns a sentence with the names of languages: "French and Dutch." A value without
// a known name stands as it is.
func languageNames(values []string) string {
	names := make([]string, 0, len(values))
	for _, v := range values {
		name, ok := languageName(v)
		if !ok {
			name = v
		}
		names = append(names, name)
	}
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return names[0] + "."
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1] + "."
	}
}
