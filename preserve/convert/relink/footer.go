package relink

import "strings"

// footer reads the URL out of the text of HTTrack's comment: " Mirrored from URL by HTTrack Website
// Copier/VERSION [AUTHORS], DATE ".
func footer(text string) (url string, ok bool) {
	rest, ok := strings.CutPrefix(text, " Mirrored from ")
	i := strings.LastIndex(rest, " by HTTrack Website Copier/")
	if !ok || i <= 0 {
		return "", false
	}
	return rest[:i], true
}
