package describe

import "unicode"

// scripts are the codes of UNIMARC for the script of a title (100/34-35).
var scripts = []struct {
	code  string
	table *unicode.RangeTable
}{
	{"ba", unicode.Latin}, {"ca", unicode.Cyrillic}, {"da", unicode.Hiragana}, {"da", unicode.Katakana},
	{"ea", unicode.Han}, {"fa", unicode.Arabic}, {"ga", unicode.Greek}, {"ha", unicode.Hebrew}, {"ia", unicode.Thai},
	{"ja", unicode.Devanagari}, {"ka", unicode.Hangul}, {"la", unicode.Tamil}, {"ma", unicode.Georgian},
	{"mb", unicode.Armenian},
}

// scriptCode returns the code for the first letter of a text that has a script; "" without one.
func scriptCode(text string) string {
	for _, c := range text {
		for _, s := range scripts {
			if unicode.Is(s.table, c) {
				return s.code
			}
		}
	}
	return ""
}
