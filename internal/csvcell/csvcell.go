package csvcell

// Text returns a text for a cell. A spreadsheet would run a text that begins like a formula; such a
// text gets an apostrophe before it, which spreadsheets read as the mark of a text.
func Text(s string) string {
	if len(s) > 1 {
		switch s[0] {
		case '=', '+', '-', '@', '\t', '\r':
			return "'" + s
		}
	}
	return s
}
