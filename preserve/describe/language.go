package describe

import (
	"strings"

	"golang.org/x/text/language"
)

// bibliographic are the languages whose code in ISO 639-2 for libraries (B) is not that of ISO
// 639-3 (T).
var bibliographic = map[string]string{
	"bod": "tib", "ces": "cze", "cym": "wel", "deu": "ger", "ell": "gre", "eus": "baq", "fas": "per", "fra": "fre",
	"hye": "arm",
	"isl": "ice", "kat": "geo", "mkd": "mac", "mri": "mao", "msa": "may", "mya": "bur", "nld": "dut", "ron": "rum",
	"slk": "slo",
	"sqi": "alb", "zho": "chi",
}

// KnownLanguage says whether s is a language tag of BCP 47 whose parts are registered, or a code of
// ISO 639-2 for libraries.
func KnownLanguage(s string) bool {
	if len(s) == 3 && isBibliographic(strings.ToLower(s)) {
		return true
	}
	_, err := language.Parse(s)
	return err == nil && s != ""
}

func isBibliographic(code string) bool {
	for _, b := range bibliographic {
		if b == code {
			return true
		}
	}
	return false
}

// libraryCode gives the code of ISO 639-2/B for a language tag, which MARC and EAD take. Not all
// languages have one: false says that this one has none, or that it is not known here.
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
