package wget

import (
	"bytes"
	"strings"

	"quire/internal/archivefs"
)

// isBackup gives the file whose bytes, as they came, a file keeps (-K); "" when it is none. The
// name is that of the file with ".orig" behind it; but where -E added an ending, the last four
// letters of the name became "orig": "x.html" has "x.orig", and "x.css", which is shorter than Wget
// thinks, "xorig".
func isBackup(t *archivefs.Tree, p string) string {
	plain, ok := strings.CutSuffix(p, "orig")
	if !ok {
		return ""
	}
	candidates := []string{plain + ".css"}
	if stem, dotted := strings.CutSuffix(plain, "."); dotted {
		candidates = []string{stem, plain + "html"}
	}
	for _, c := range candidates {
		if t.Find(c) != nil && !strings.HasSuffix(c, "/") {
			return c
		}
	}
	return ""
}

// endingAdded says whether a backup is named as one of a file to which -E added an ending.
func endingAdded(file, backup string) bool { return backup != "" && backup != file+".orig" }

// headEnd gives the length of the head with which a file begins that was saved with --save-headers;
// 0 when it has none.
func headEnd(b []byte) int {
	if !bytes.HasPrefix(b, []byte("HTTP/")) || lineStatus.Find(firstLine(b)) == nil {
		return 0
	}
	for _, end := range []string{"\r\n\r\n", "\n\n"} {
		if i := bytes.Index(b, []byte(end)); i > 0 {
			return i + len(end)
		}
	}
	return 0
}

func firstLine(b []byte) []byte {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	return bytes.TrimRight(line, "\r")
}
