package describe

import (
	"strings"

	"golang.org/x/text/language"
)

// bibliographic maps languages with a library code in ISO 639-2 (B) that differs from ISO 639-3
// (T).
var bibliographic = map[string]string{
	"bod": "tib", "ces": "cze", "cym": "wel", "deu": "ger", "ell": "gre", "eus": "baq", "fas": "per", "fra": "fre",
	"hye": "arm",
	"isl": "ice", "kat": "geo", "mkd": "mac", "mri": "mao", "msa": "may", "mya": "bur", "nld": "dut", "ron": "rum",
	"slk": "slo",
	"sqi": "alb", "zho": "chi",
}

// KnownLanguage reports whether s is a BCP 47 language tag with registered parts, or an ISO 639-2
// code for libraries.
func KnownLanguage(s string) bool {
	if len(s) == 3 && isBibliographic(strings.ToLower(s)) {
		return true
	}
	_, err := language.Parse(s)
	return err == nil && s != ""
}

// LanguageTag returns a language as a BCP 47 tag in canonical form: "fr-FR" of fr_FR (a locale of
// POSIX or Open Graph), "fr" of fre (ISO 639-2). It returns false for text that is not a code.
func LanguageTag(s string) (string, bool) {
	s = strings.ReplaceAll(strings.TrimSpace(s), "_", "-")
	first, rest, _ := strings.Cut(s, "-")
	if len(first) != 2 && len(first) != 3 { // registered languages have these lengths; longer ones are words
		return "", false
	}
	for iso, library := range bibliographic {
		if strings.EqualFold(first, library) {
			s = strings.TrimSuffix(iso+"-"+rest, "-")
		}
	}
	tag, err := language.Parse(s)
	if err != nil {
		return "", false
	}
	return tag.String(), true
}

func isBibliographic(code string) bool {
	for _, b := range bibliographic {
		if b == code {
			return true
		}
	}
	return false
}

// libraryCode returns the ISO 639-2/B code for a language tag, as MARC and EAD require. It returns
// false if the language has no such code, or if this package does not know the code.
func libraryCode(tag string) (string, bool) {
	first, _, _ := strings.Cut(strings.ToLower(tag), "-")
	switch {
	case isBibliographic(first):
		return first, true
	case first == "mul" || first == "und" || first == "zxx" || first == "mis":
		return first, true
	}
	base, err := language.ParseBase(first)
	if err != nil || len(base.String()) != 2 { // all of ISO 639-1 is in ISO 639-2; of the others only some
		return "", false
	}
	code := base.ISO3()
	if b, ok := bibliographic[code]; ok {
		code = b
	}
	return code, true
}
