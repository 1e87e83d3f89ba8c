package humanize

import "testing"

func TestPalette(t *testing.T) {
	on := Palette{On: true}
	for _, c := range []struct{ name, is, want string }{
		{"good", on.Outcome("valid"), "\x1b[32mvalid\x1b[0m"},
		{"bad", on.Outcome("invalid"), "\x1b[31minvalid\x1b[0m"},
		{"warning", on.Outcome("warning"), "\x1b[33mwarning\x1b[0m"},
		{"another word", on.Outcome("heritrix"), "heritrix"},
		{"nothing", on.Heading(""), ""},
		{"off", Palette{}.Outcome("valid"), "valid"},
		{"off, an error", Palette{}.Error("quire:"), "quire:"},
		{"in a line", on.Line("  outcome    valid: all is valid", "valid"),
			"  outcome    \x1b[32mvalid\x1b[0m: all is valid"},
		{"in a line, off", Palette{}.Line("valid", "valid"), "valid"},
	} {
		if c.is != c.want {
			t.Errorf("%s: %q, want %q", c.name, c.is, c.want)
		}
	}
}
