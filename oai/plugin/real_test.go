package plugin

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Common external tools work in the sandbox, if installed.
func TestToolsOfTheField(t *testing.T) {
	png, err := os.ReadFile("/usr/share/pixmaps/debian-logo.png")
	if err != nil {
		png = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00" +
			"\x3a\x7e\x9b\x55")
	}
	for _, c := range []struct {
		config        Config
		content, want string
	}{
		{Config{Label: "file", Command: []string{"file", "-b", "{input}"}, Version: []string{"file", "--version"}},
			string(png), "PNG image data"},
		{
			Config{Label: "exiftool", Command: []string{"exiftool", "-json"}, KeptOpen: "exiftool",
				Version: []string{"exiftool", "-ver"}, Prints: "application/json"},
			string(png), `[{
  "SourceFile": "input",`,
		},
		{Config{Label: "mediainfo", Command: []string{"mediainfo", "{input}"},
			Version: []string{"mediainfo", "--Version"}}, string(png), "PNG"},
		{Config{Label: "ots", Command: []string{"ots", "{input}"}, Version: []string{"ots", "--version"}},
			strings.Repeat("A quire is a gathering of leaves. ", 9), "quire"},
		{Config{Label: "perl", Command: []string{"perl", "-ne", "print uc"}, Version: []string{"perl", "-v"}}, "quire",
			"QUIRE"},
		{Config{Label: "java", Command: []string{"java", "--version"}, Version: []string{"java", "--version"}}, "", ""},
	} {
		t.Run(c.config.Label, func(t *testing.T) {
			if _, err := exec.LookPath(c.config.Command[0]); err != nil {
				t.Skip(err)
			}
			r := runner(t, Options{Configs: []Config{c.config}, TempDir: t.TempDir()})
			for range 2 {
				got, err := r.Run(context.Background(), hold(t, c.content, HoldOptions{}))
				if err != nil || !strings.Contains(told(got), c.want) || got[0].Outcome != Good ||
					got[0].Version == Unknown {
					t.Errorf("%s, %v", told(got), err)
				}
				t.Log(got[0].Version, got[0].Taken)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
